// The plan file: a measurement in TOML, and the only way to say that variants are boots.
#include <fmt/core.h>

#include "base/text.h"
#include "config/document.h"
#include "evidence/analysis.h"
#include "measure/request.h"
#include "store/names.h"

namespace tollgate::measure {
namespace {

using config::Table;

/// Words of a kernel command line; one with a space could never match.
Result<std::vector<std::string>> command_line_words(const Table& table, const char* key) {
  const auto words = TRY(table.optional_text_list(key)).value_or(std::vector<std::string>());
  for (const auto& word : words)
    if (word.empty() || word.find_first_of(" \t") != std::string::npos)
      return fail(fmt::format("{} wants one word of the command line an element, not '{}'", key, word),
                  table.place_of(key));
  return words;
}

Result<store::Variant> read_variant(const Table& table, const std::optional<std::string>& command) {
  store::Variant variant;
  variant.name = TRY(table.text("name"));
  const auto own = TRY(table.optional_text("command"));
  if (!own && !command)
    return fail(fmt::format("variant '{}' has no command, and the plan has none for all", variant.name), table.place());
  variant.command = own ? *own : *command;
  const auto kernel = TRY(table.optional_text("kernel"));
  store::BootMatch match;
  match.kernel = kernel.value_or("*");
  match.with = TRY(command_line_words(table, "command_line"));
  match.without = TRY(command_line_words(table, "without"));
  if (kernel || !match.with.empty() || !match.without.empty()) variant.boot = std::move(match);
  return variant;
}

Result<void> read_terms(const Table& root, Request& request) {
  request.primary = TRY(root.optional_text("primary")).value_or("");
  request.margin_percent = TRY(root.optional_number("margin_percent"));
  evidence::Terms terms;
  terms.margin_percent = request.margin_percent;
  TRY(evidence::check_terms(terms).map_error(
      [&](const Error& error) { return Error{error.message, root.place_of("margin_percent")}; }));
  if (root.has("order")) request.order = TRY(root.choice<evidence::Order>("order", store::kOrders));
  if (const auto seed = TRY(root.optional_integer("seed", 0, std::int64_t(kMostSeed))))
    request.seed = std::uint64_t(*seed);
  request.runs = std::uint32_t(TRY(root.optional_integer("runs", 1, kMostRuns)).value_or(request.runs));
  request.boots = std::uint32_t(TRY(root.optional_integer("boots", 1, 1000)).value_or(0));
  request.warmup = std::uint32_t(TRY(root.optional_integer("warmup", 0, kMostRuns)).value_or(0));
  request.noise = TRY(root.optional_boolean("aa")).value_or(false);
  return {};
}

Result<void> read_better(const Table& root, Request& request) {
  const auto better = TRY(root.optional_table("better"));
  if (!better) return {};
  for (const auto& name : better->keys()) request.better[name] = TRY(better->text(name));
  return {};
}

}  // namespace

Result<Request> load_plan(const std::string& path, std::uint64_t seed) {
  config::Document document = TRY(config::Document::load(path));
  const Table root = document.root();
  Request request;
  request.seed = seed;
  request.name = TRY(root.optional_text("name")).value_or("");
  request.prepare = TRY(root.optional_text("prepare")).value_or("");
  request.metrics = TRY(root.optional_text_list("metrics")).value_or(std::vector<std::string>{"wall"});
  if (root.has("on_failure")) request.on_failure = TRY(root.choice<store::OnFailure>("on_failure", store::kOnFailure));
  TRY(read_terms(root, request));
  TRY(read_better(root, request));
  const auto command = TRY(root.optional_text("command"));
  for (const Table& table : TRY(root.tables("variants"))) request.variants.push_back(TRY(read_variant(table, command)));
  TRY(document.finish());
  return request;
}

}  // namespace tollgate::measure
