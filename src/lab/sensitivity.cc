#include "lab/sensitivity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace tollgate::lab {

using evidence::Event;
using hw::FigureId;

namespace {

double count(const evidence::VariantResult& variant, Event event) {
  return variant.events[static_cast<std::size_t>(event)];
}

/// Latency of a side's walks and second-level hits together, at typical prices: what its exposed share multiplies.
double side_latency(const evidence::VariantResult& variant, const hw::DrawnMachine& typical, Event misses,
                    Event walks) {
  const double all_walks = count(variant, Event::itlb_walks) + count(variant, Event::dtlb_walks);
  const double fetches = count(variant, Event::walk_fetches_near) * typical.value(FigureId::walk_fetch_near) +
                         count(variant, Event::walk_fetches_far) * typical.value(FigureId::walk_fetch_far);
  const double a_walk = typical.value(FigureId::walk_setup) + (all_walks > 0 ? fetches / all_walks : 0);
  return count(variant, walks) * a_walk +
         (count(variant, misses) - count(variant, walks)) * typical.value(FigureId::walk_stlb_hit);
}

}  // namespace

double times_paid(FigureId id, const evidence::VariantResult& variant, const hw::DrawnMachine& typical) {
  const auto n = [&](Event event) { return count(variant, event); };
  const double exposed = typical.value(FigureId::walk_exposed_data);
  switch (id) {
    case FigureId::walk_setup:
      return (n(Event::itlb_walks) + n(Event::dtlb_walks)) * exposed;
    case FigureId::walk_fetch_near:
      return n(Event::walk_fetches_near) * exposed;
    case FigureId::walk_fetch_far:
      return n(Event::walk_fetches_far) * exposed;
    case FigureId::walk_stlb_hit:
      return (n(Event::itlb_misses) + n(Event::dtlb_misses) - n(Event::itlb_walks) - n(Event::dtlb_walks)) * exposed;
    case FigureId::walk_exposed_instruction:
      return side_latency(variant, typical, Event::itlb_misses, Event::itlb_walks);
    case FigureId::walk_exposed_data:
      return side_latency(variant, typical, Event::dtlb_misses, Event::dtlb_walks);
    case FigureId::entry_syscall:
    case FigureId::entry_sysret:
      return n(Event::kernel_entries) - n(Event::page_faults);
    case FigureId::entry_exception:
      return n(Event::page_faults);
    case FigureId::entry_interrupt:
      return n(Event::ipis);
    case FigureId::entry_iret:
      return n(Event::ipis) + n(Event::page_faults);
    case FigureId::cr3_write:
      return n(Event::cr3_writes);
    case FigureId::flush_invlpg:
    case FigureId::flush_invpcid_address:
      return n(Event::flushes_page);
    case FigureId::flush_broadcast_issue:
    case FigureId::flush_broadcast_sync:
      return n(Event::flushes_broadcast);
    case FigureId::flush_broadcast_per_cpu:
      return n(Event::flushes_broadcast) * typical.topology.cpus;
    case FigureId::vm_exit:
    case FigureId::vm_entry:
      return n(Event::vm_exits);
    case FigureId::vcpu_load:
    case FigureId::vcpu_put:
      return n(Event::vcpu_loads);
    case FigureId::ipi_send:
    case FigureId::ipi_handler:
      return n(Event::ipis);
    case FigureId::ipi_latency:
      return n(Event::ipi_rounds);
    case FigureId::line_transfer_near:
      return n(Event::line_transfers_near) + n(Event::ipi_rounds);
    case FigureId::line_transfer_far:
      return n(Event::line_transfers_far);
    default:
      return 0;
  }
}

namespace {

constexpr double kLeastEffect = 1e-4;  // of an operation's cycles: below that, a figure does not move the answer

double per_operation(const evidence::VariantResult& of, double amount) {
  return amount / std::max(1.0, count(of, Event::operations));
}

double cycles_per_operation(const evidence::VariantResult& of) {
  double cycles = 0;
  for (double account : of.ledger) cycles += account;
  return per_operation(of, cycles);
}

config::Figure pinned(config::Figure figure, double value) {
  figure.low = figure.typical = figure.high = value;
  return figure;
}

bool has_range(const config::Figure& figure) { return figure.low < figure.high; }

Input input_of(std::string name, const config::Figure& figure, std::function<void(Question&, double)> pin) {
  return {std::move(name), figure, {}, 0, std::move(pin)};
}

/// Adds the leverage and the effect in one variant of a figure paid so often, {baseline, variant}, an operation.
void rate(Input& input, const std::array<double, 2>& paid, const std::array<double, 2>& cycles, double scale) {
  const double range = (input.figure.high - input.figure.low) * scale;
  const double relative = cycles[0] > 0 ? cycles[1] / cycles[0] : 1;
  input.leverage.push_back(range * (paid[1] - paid[0]));
  input.effect = std::max(input.effect, std::abs(range * (paid[1] - paid[0] * relative)));
}

/// Figures without a count have no leverage; a walk's geometry or the clock act on everything.
bool is_counted(FigureId id) {
  switch (id) {
    case FigureId::clock_ghz:
    case FigureId::walk_near_lines:
    case FigureId::psc_pde_entries:
    case FigureId::psc_pdpte_entries:
    case FigureId::psc_pml4e_entries:
    case FigureId::psc_intermediate:
    case FigureId::psc_stage2:
    case FigureId::itlb_fractures_large_pages:
      return false;
    default:
      return true;
  }
}

Input machine_input(const hw::FigureInfo& info, const config::Figure& figure) {
  return input_of(std::string(info.name), figure, [id = info.id](Question& of, double value) {
    auto& own = of.machine.figures[static_cast<std::size_t>(id)];
    own = pinned(own, value);
  });
}

using Variants = std::vector<evidence::VariantResult>;

std::vector<Input> counted_inputs(const Question& question, const Variants& variants, std::size_t most) {
  const hw::DrawnMachine typical = hw::typical_machine(question.machine);
  std::vector<Input> inputs;
  for (const hw::FigureInfo& info : hw::kFigures) {
    const config::Figure& figure = question.machine.figure(info.id);
    if (!question.machine.has_figure(info.id) || !has_range(figure) || !is_counted(info.id)) continue;
    Input input = machine_input(info, figure);
    const double scale = figure.unit == "ns" ? typical.value(FigureId::clock_ghz) : 1;
    const auto paid = [&](const auto& of) { return per_operation(of, times_paid(info.id, of, typical)); };
    for (std::size_t v = 1; v < variants.size(); ++v)
      rate(input, {paid(variants[0]), paid(variants[v])},
           {cycles_per_operation(variants[0]), cycles_per_operation(variants[v])}, scale);
    if (input.effect > kLeastEffect * cycles_per_operation(variants[0])) inputs.push_back(std::move(input));
  }
  std::stable_sort(inputs.begin(), inputs.end(), [](const auto& a, const auto& b) { return a.effect > b.effect; });
  if (inputs.size() > most) inputs.resize(most);
  return inputs;
}

void add_geometry(const hw::Machine& machine, std::vector<Input>& inputs) {
  for (const hw::FigureInfo& info : hw::kFigures)
    if (const auto& figure = machine.figure(info.id);
        machine.has_figure(info.id) && has_range(figure) && !is_counted(info.id))
      inputs.push_back(machine_input(info, figure));
  for (std::size_t i = 0; i < machine.tlb.size(); ++i)
    if (const auto& entries = machine.tlb[i].entries; has_range(entries))
      inputs.push_back(
          input_of(fmt::format("tlb.{}.entries", machine.tlb[i].name), entries, [i](Question& of, double value) {
            auto& own = of.machine.tlb[i].entries;
            own = pinned(own, value);
          }));
}

void add_workload(const Question& question, std::vector<Input>& inputs) {
  const auto add = [&](const std::string& name, const config::Figure& figure, const auto& pin) {
    if (has_range(figure)) inputs.push_back(input_of("workload." + name, figure, pin));
  };
  add("base_cpi.user", question.workload.user_cpi,
      [](Question& of, double value) { of.workload.user_cpi = pinned(of.workload.user_cpi, value); });
  add("base_cpi.kernel", question.workload.kernel_cpi,
      [](Question& of, double value) { of.workload.kernel_cpi = pinned(of.workload.kernel_cpi, value); });
  for (const auto& [name, figure] : question.workload.figures)
    add("program." + name, figure, [program = name](Question& of, double value) {
      of.workload.figures[program] = pinned(of.workload.figures[program], value);
    });
}

void add_paths(const Question& question, std::vector<Input>& inputs) {
  const config::Figure quantile{0,
                                0.5,
                                1,
                                "quantile",
                                config::Knowledge::derived,
                                fmt::format("instruction counts of the kernel's paths, kernels/{}.toml, all at one "
                                            "quantile of their ranges",
                                            question.experiment.kernel)};
  inputs.push_back(input_of("kernel.paths", quantile, [](Question& of, double value) { of.path_quantile = value; }));
}

}  // namespace

std::vector<Input> rank_inputs(const Question& question, const Variants& variants, std::size_t most) {
  std::vector<Input> inputs = counted_inputs(question, variants, most);
  add_geometry(question.machine, inputs);
  add_workload(question, inputs);
  add_paths(question, inputs);
  return inputs;
}

namespace {

/// The delta of every variant but the baseline.
Result<std::vector<std::optional<double>>> deltas_of(const Question& at, const CompareOptions& options) {
  const evidence::Summaries summaries = summarize_primary(at, TRY(simulate_all(at, options)));
  std::vector<std::optional<double>> deltas;
  for (std::size_t v = 1; v < summaries.variants.size(); ++v) deltas.push_back(summaries.variants[v].delta_percent);
  return deltas;
}

Question pin(Question question, const Input& input, double value) {
  input.pin(question, value);
  return question;
}

}  // namespace

Result<std::vector<report::SensitivityRow>> rerun_at_both_ends(const Question& question, const CompareOptions& options,
                                                               const std::vector<Input>& inputs) {
  CompareOptions quiet = options;
  quiet.progress = nullptr;
  std::vector<report::SensitivityRow> rows;
  std::uint64_t done = 0;
  const auto drawn = TRY(deltas_of(question, quiet));
  for (const Input& input : inputs) {
    const config::Figure& figure = input.figure;
    const auto low = TRY(deltas_of(pin(question, input, figure.low), quiet));
    const auto high = TRY(deltas_of(pin(question, input, figure.high), quiet));
    for (std::size_t v = 0; v < low.size(); ++v)
      rows.push_back({question.experiment.variants[v + 1].name, input.name, figure.low, figure.typical, figure.high,
                      figure.unit, std::string(config::to_text(figure.kind)), figure.source,
                      input.leverage.empty() ? std::optional<double>() : input.leverage[v], low[v], drawn[v], high[v]});
    if (options.progress) options.progress(++done, inputs.size());
  }
  return rows;
}

}  // namespace tollgate::lab
