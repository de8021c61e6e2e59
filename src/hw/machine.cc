#include "hw/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>
#include <span>

#include "base/text.h"
#include "config/document.h"
#include "config/figure_reader.h"

namespace tollgate::hw {
namespace {

using config::Choice;
using config::Document;
using config::Figure;
using config::Table;

constexpr int kMaxCpus = 1024;
constexpr int kMaxEntries = 1 << 16;
constexpr int kMaxAncestors = 8;

constexpr std::array<Choice<PageSize>, kPageSizes> kSizes{
    {{"4K", PageSize::k4K}, {"2M", PageSize::k2M}, {"1G", PageSize::k1G}}};
constexpr std::array<Choice<Side>, 3> kSides{
    {{"instruction", Side::instruction}, {"data", Side::data}, {"both", Side::both}}};
constexpr std::array<Choice<Replacement>, 4> kReplacements{{{"lru", Replacement::lru},
                                                            {"plru", Replacement::plru},
                                                            {"fifo", Replacement::fifo},
                                                            {"random", Replacement::random}}};
enum class Architecture { x86_64, aarch64 };
constexpr std::array<Choice<Architecture>, 2> kArchitectures{
    {{"x86_64", Architecture::x86_64}, {"aarch64", Architecture::aarch64}}};

/// Names are parts of settings and file names.
Result<std::string> read_name(const Table& table) {
  const std::string name = TRY(table.text("name"));
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (!plain) return fail(fmt::format("name '{}' may have a-z, 0-9, '-' and '_' only", name), table.place_of("name"));
  return name;
}

/// Tags and broadcasts are part of the architecture; how wide the tags are is not.
Result<Features> read_arm_features(const Table& table) {
  Features features{.pcid = true, .broadcast_flush = true};
  features.asid_bits = static_cast<int>(TRY(table.integer("asid_bits", 8, 16)));
  features.vmid_bits = static_cast<int>(TRY(table.integer("vmid_bits", 2, 16)));
  return features;
}

Result<Features> read_features(const Table& root, Architecture architecture) {
  const Table table = TRY(root.table("features"));
  if (architecture == Architecture::aarch64) return read_arm_features(table);
  Features features;
  features.pcid = TRY(table.boolean("pcid"));
  features.invpcid = TRY(table.boolean("invpcid"));
  features.global_pages = TRY(table.optional_boolean("global_pages")).value_or(true);
  features.broadcast_flush = TRY(table.optional_boolean("broadcast_flush")).value_or(false);
  return features;
}

Result<Topology> read_topology(const Table& root) {
  const Table table = TRY(root.table("topology"));
  Topology topology;
  topology.cpus = static_cast<int>(TRY(table.integer("cpus", 1, kMaxCpus)));
  topology.threads_per_core = static_cast<int>(TRY(table.optional_integer("threads_per_core", 1, 2)).value_or(1));
  topology.sockets = static_cast<int>(TRY(table.optional_integer("sockets", 1, 16)).value_or(1));
  if (topology.cpus % (topology.threads_per_core * topology.sockets) != 0)
    return fail(fmt::format("{} CPUs cannot be shared out evenly over {} sockets with {} threads a core", topology.cpus,
                            topology.sockets, topology.threads_per_core),
                table.place_of("cpus"));
  return topology;
}

/// A plain number with `kind` and `source` beside it, or a figure that carries its own.
Result<Figure> read_entries(const Table& table) {
  if (table.has_table("entries")) return table.figure("entries", Dimension::entries);
  Figure figure;
  const auto entries = TRY(table.integer("entries", 1, kMaxEntries));
  figure.low = figure.typical = figure.high = double(entries);
  figure.unit = "entries";
  figure.place = table.place_of("entries");
  figure.kind = TRY(config::read_knowledge(table, "kind"));
  figure.source = TRY(config::read_source(table, "source"));
  if (table.was_set("entries")) figure.source = "--set";
  return figure;
}

Result<int> read_ways(const Table& table) {
  if (!table.has_text("ways")) return static_cast<int>(TRY(table.integer("ways", 1, kMaxEntries)));
  const std::string ways = TRY(table.text("ways"));
  if (ways == "full") return kFullyAssociative;
  return fail(fmt::format("'{}' is '{}', a whole number or \"full\" is wanted", table.path_of("ways"), ways),
              table.place_of("ways"));
}

Result<void> check_geometry(const TlbArraySpec& array, const Table& table) {
  for (const double entries : {array.entries.low, array.entries.typical, array.entries.high}) {
    if (entries < 1)
      return fail(fmt::format("'{}' may be 0: leave the array out instead", table.path_of("entries")),
                  array.entries.place);
    if (array.ways != kFullyAssociative && static_cast<int>(entries) % array.ways != 0)
      return fail(fmt::format("'{}': {} entries cannot be made of sets of {} ways", table.path(), entries, array.ways),
                  table.place_of("ways"));
  }
  if (array.replacement == Replacement::plru &&
      (!std::has_single_bit(static_cast<unsigned>(array.ways)) || array.ways > 64))
    return fail(fmt::format("'{}': a tree of bits (plru) needs a power of two of ways, at most 64",
                            table.path_of("replacement")),
                table.place_of("replacement"));
  return {};
}

Result<std::vector<PageSize>> read_sizes(const Table& table) {
  std::vector<std::string> known;
  for (const auto& size : kSizes) known.emplace_back(size.name);
  std::vector<PageSize> sizes;
  for (const std::string& name : TRY(table.text_list("sizes"))) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      return fail(fmt::format("'{}': no page size '{}' (known: {})", table.path_of("sizes"), name, join(known, ", ")),
                  table.place_of("sizes"));
    const PageSize size = kSizes[std::size_t(found - known.begin())].value;
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end())
      return fail(fmt::format("'{}' says '{}' twice", table.path_of("sizes"), name), table.place_of("sizes"));
    sizes.push_back(size);
  }
  if (sizes.empty()) return fail(fmt::format("'{}' is empty", table.path_of("sizes")), table.place_of("sizes"));
  return sizes;
}

Result<TlbArraySpec> read_array(const Table& table) {
  TlbArraySpec array;
  array.place = table.place();
  array.name = TRY(read_name(table));
  array.level = static_cast<int>(TRY(table.integer("level", 1, 2)));
  array.side = TRY(table.choice<Side>("side", kSides));
  array.sizes = TRY(read_sizes(table));
  array.entries = TRY(read_entries(table));
  array.ways = TRY(read_ways(table));
  array.replacement = TRY(table.choice<Replacement>("replacement", kReplacements));
  array.per_thread = TRY(table.optional_boolean("per_thread")).value_or(false);
  TRY(check_geometry(array, table));
  return array;
}

bool serves(const TlbArraySpec& array, int level, Side side, PageSize size) {
  return array.level == level && (array.side == side || array.side == Side::both) &&
         std::find(array.sizes.begin(), array.sizes.end(), size) != array.sizes.end();
}

/// A page must have one place in each level; two arrays that both could hold it are a slip, or one array in two pieces.
Result<void> check_unambiguous(const std::vector<TlbArraySpec>& arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (arrays[i].name == arrays[j].name)
        return fail(fmt::format("two TLB arrays are called '{}'", arrays[i].name), arrays[i].place);
      for (const Side side : {Side::instruction, Side::data})
        for (const PageSize size : arrays[i].sizes)
          if (serves(arrays[i], arrays[i].level, side, size) && serves(arrays[j], arrays[i].level, side, size))
            return fail(fmt::format("TLB arrays '{}' and '{}' both hold {} pages of the {} side at level {}",
                                    arrays[j].name, arrays[i].name, to_text(size), to_text(side), arrays[i].level),
                        arrays[i].place);
    }
  }
  return {};
}

Result<std::vector<TlbArraySpec>> read_arrays(const Table& root) {
  std::vector<TlbArraySpec> arrays;
  for (const Table& table : TRY(root.tables("tlb"))) arrays.push_back(TRY(read_array(table)));
  TRY(check_unambiguous(arrays));
  for (const Side side : {Side::instruction, Side::data})
    if (std::none_of(arrays.begin(), arrays.end(),
                     [&](const auto& array) { return serves(array, 1, side, PageSize::k4K); }))
      return fail(fmt::format("no level-1 TLB array holds 4K pages of the {} side", to_text(side)),
                  root.place_of("tlb"));
  return arrays;
}

/// A figure that prices what only some machines have. The others must not state it, unless a setting took it away.
struct Conditional {
  FigureId id;
  bool (*holds)(const Machine& machine);
  std::string_view table, key;  // what says so
  std::string_view otherwise;
};
constexpr bool is_x86(const Machine& machine) { return machine.architecture == "x86_64"; }
constexpr bool is_arm(const Machine& machine) { return machine.architecture == "aarch64"; }
constexpr bool has_invpcid(const Machine& machine) { return machine.features.invpcid; }
constexpr bool has_broadcast(const Machine& machine) { return machine.features.broadcast_flush; }
constexpr bool has_sockets(const Machine& machine) { return machine.topology.sockets > 1; }
constexpr std::string_view kNotX86 = "architecture is aarch64";
constexpr std::string_view kNotArm = "architecture is x86_64";
constexpr std::string_view kNoInvpcid = "features.invpcid is false";
constexpr std::string_view kNoBroadcast = "features.broadcast_flush is false";
constexpr std::array<Conditional, 16> kConditionals{{
    {FigureId::flush_invpcid_address, has_invpcid, "features", "invpcid", kNoInvpcid},
    {FigureId::flush_invpcid_all, has_invpcid, "features", "invpcid", kNoInvpcid},
    {FigureId::flush_broadcast_issue, has_broadcast, "features", "broadcast_flush", kNoBroadcast},
    {FigureId::flush_broadcast_sync, has_broadcast, "features", "broadcast_flush", kNoBroadcast},
    {FigureId::line_transfer_far, has_sockets, "topology", "sockets", "topology.sockets is 1"},
    {FigureId::flush_invlpg, is_x86, "", "architecture", kNotX86},
    {FigureId::flush_pge_toggle, is_x86, "", "architecture", kNotX86},
    {FigureId::ibpb, is_x86, "", "architecture", kNotX86},
    {FigureId::psc_intermediate, is_arm, "", "architecture", kNotArm},
    {FigureId::psc_stage2, is_arm, "", "architecture", kNotArm},
    {FigureId::flush_broadcast_per_cpu, is_arm, "", "architecture", kNotArm},
    {FigureId::flush_local_all, is_arm, "", "architecture", kNotArm},
    {FigureId::vm_exit, is_arm, "", "architecture", kNotArm},
    {FigureId::vm_entry, is_arm, "", "architecture", kNotArm},
    {FigureId::vcpu_load, is_arm, "", "architecture", kNotArm},
    {FigureId::vcpu_put, is_arm, "", "architecture", kNotArm},
}};

Figure absent_figure(Dimension dimension) {
  Figure figure;
  figure.unit = std::string(info(dimension).units[0]);
  return figure;
}

/// The value of a figure that the machine has; `decides` is what says that it does.
Result<Figure> read_present(const std::optional<Table>& table, const Table& decides, const FigureInfo& figure,
                            const Conditional& condition) {
  const std::string_view key = figure.name.substr(figure.name.find('.') + 1);
  if (decides.was_set(condition.key) && (!table || !table->has(key)))
    return fail(fmt::format("then '{}' is needed too, and nothing says what it costs", figure.name),
                decides.place_of(condition.key));
  if (table) return table->figure(key, figure.dimension);
  return fail(fmt::format("'{}' is missing", figure.name), decides.place_of(condition.key));
}

Result<Figure> read_figure(const Table& root, const FigureInfo& figure, const Machine& machine) {
  const std::size_t dot = figure.name.find('.');
  const std::string_view key = figure.name.substr(dot + 1);
  const std::string_view table_name = figure.name.substr(0, dot);
  const auto condition = std::find_if(kConditionals.begin(), kConditionals.end(),
                                      [&](const Conditional& conditional) { return conditional.id == figure.id; });
  if (condition == kConditionals.end()) return TRY(root.table(table_name)).figure(key, figure.dimension);
  const auto table = TRY(root.optional_table(table_name));
  const Table decides = condition->table.empty() ? root : TRY(root.table(condition->table));
  if (condition->holds(machine)) return read_present(table, decides, figure, *condition);
  if (table && table->has(key)) {
    // Only what takes the feature away may leave its price standing: a setting, or an heir of the file that has both.
    const bool elsewhere = decides.place_of(condition->key).file != table->place_of(key).file;
    const bool taken_away = decides.was_set(condition->key) || (elsewhere && !table->was_set(key));
    if (!taken_away)
      return fail(fmt::format("'{}' prices what this machine does not have: {}", figure.name, condition->otherwise),
                  table->place_of(key));
    TRY(table->figure(key, figure.dimension));
  }
  return absent_figure(figure.dimension);
}

Result<Machine> read_machine(Document document) {
  const Table root = document.root();
  Machine machine;
  machine.name = TRY(read_name(root));
  machine.title = TRY(root.text("title"));
  const auto architecture = TRY(root.choice<Architecture>("architecture", kArchitectures));
  machine.architecture = TRY(root.text("architecture"));
  machine.features = TRY(read_features(root, architecture));
  machine.topology = TRY(read_topology(root));
  machine.tlb = TRY(read_arrays(root));
  for (const FigureInfo& figure : kFigures)
    machine.figures[static_cast<std::size_t>(figure.id)] = TRY(read_figure(root, figure, machine));
  TRY(document.finish());
  return machine;
}

Result<void> apply(Document& document, const std::vector<std::string>& overrides) {
  for (const std::string& setting : overrides) {
    const std::string_view key = trim(std::string_view(setting).substr(0, setting.find('=')));
    TRY(document.set(key == "cpus" ? "topology." + std::string(trim(setting)) : setting, "machine"));
  }
  return {};
}

/// The name in based_on, which leaves the folder of the file under no circumstances.
Result<std::optional<std::string>> parent_of(Document& document) {
  const Table root = document.root();
  const std::optional<std::string> parent = TRY(root.optional_text("based_on"));
  if (parent && (parent->empty() || parent->find_first_of("/\\.") != std::string::npos))
    return fail(fmt::format("based_on '{}' is not the name of a machine", *parent), root.place_of("based_on"));
  return parent;
}

Result<Document> load_parent(const std::string& heir, const std::string& name, const MachineFinder& find_parent) {
  const auto beside = std::filesystem::path(heir).parent_path() / (name + ".toml");
  std::error_code error;
  if (find_parent && !std::filesystem::exists(beside, error)) return Document::load(TRY(find_parent(name)));
  return Document::load(beside.string());
}

Result<Document> load_with_ancestors(const std::string& path, const MachineFinder& find_parent) {
  Document document = TRY(Document::load(path));
  std::vector<std::string> chain{std::filesystem::path(path).stem().string()};
  SourcePlace place = document.root().place_of("based_on");
  std::optional<std::string> parent = TRY(parent_of(document));
  document.drop("based_on");
  while (parent) {
    const bool circle = std::find(chain.begin(), chain.end(), *parent) != chain.end();
    chain.push_back(*parent);
    if (circle || chain.size() > kMaxAncestors)
      return fail(fmt::format("based_on never ends: {}", join(chain, " -> ")), place);
    Result<Document> next = load_parent(path, *parent, find_parent);
    if (!next) return fail(fmt::format("based_on '{}': {}", *parent, next.error().text()), place);
    place = next->root().place_of("based_on");
    parent = TRY(parent_of(*next));
    for (const char* own : {"based_on", "name", "title"}) next->drop(own);
    document.inherit(std::move(*next));
  }
  return document;
}

}  // namespace

std::string_view to_text(PageSize size) { return config::name_of<PageSize>(kSizes, size); }
std::string_view to_text(Side side) { return config::name_of<Side>(kSides, side); }
std::string_view to_text(Replacement replacement) { return config::name_of<Replacement>(kReplacements, replacement); }

Result<Machine> load_machine(const std::string& path, const std::vector<std::string>& overrides,
                             const MachineFinder& find_parent) {
  Document document = TRY(load_with_ancestors(path, find_parent));
  TRY(apply(document, overrides));
  return read_machine(std::move(document));
}

Result<Machine> parse_machine(std::string_view text, const std::string& file,
                              const std::vector<std::string>& overrides) {
  Document document = TRY(Document::parse(text, file));
  TRY(apply(document, overrides));
  return read_machine(std::move(document));
}

bool is_machine_setting(std::string_view setting) {
  const std::string_view key = trim(setting.substr(0, setting.find('=')));
  const std::string_view table = key.substr(0, key.find('.'));
  if (key == "cpus") return true;
  if (key.size() == table.size()) return false;
  if (table == "tlb" || table == "features" || table == "topology") return true;
  return std::any_of(kFigures.begin(), kFigures.end(),
                     [&](const FigureInfo& figure) { return figure.name.substr(0, figure.name.find('.')) == table; });
}

}  // namespace tollgate::hw
