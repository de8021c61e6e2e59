// Scenario: a conformance case as text. One step a line; `#` starts a comment.
//
//   map A 0x10 4K rw            in the user tables of A or B; `kernel` for the shared half; `global` after the rights
//   unmap A 0x10
//   cr3 A 1 flush               root, PCID, and `flush` or `keep` (bit 63)
//   read 0x10 -> walk           read, write or fetch; ends in hit, walk, absent or refused; `stale` where the
//                               translation used is no longer what the page tables say
//   invlpg 0x10 | invpcid 0 1 0x10 | invpcid 1 1 | invpcid 2 | invpcid 3 | pge
//   broadcast 1 0x10 | broadcast-globals 1 0x10
//   @1 read 0x10 -> walk        any step of a CPU: on CPU 1 instead of CPU 0
//
// Kernel pages are written k0x10: page 0x10 of the upper half.
#pragma once

#include <deque>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "hw/mmu.h"
#include "hw/test_support/page_tables.h"

namespace tollgate::hw::test {

enum class Pcids { off, on };

class ScenarioRun {
 public:
  /// The CPUs are the threads of one core where the machine has two threads a core, else cores of their own.
  ScenarioRun(const DrawnMachine& machine, Pcids pcids) {
    const bool shared = machine.topology.threads_per_core == 2;
    for (std::uint32_t cpu = 0; cpu < 2; ++cpu) {
      if (cpu == 0 || !shared) cores_.emplace_back(machine);
      mmus_.emplace_back(machine, cores_.back(), shared ? cpu : 0, pcids == Pcids::on);
      mmus_.back().write_cr3(a_, 0, NoFlush::clear, kCause);
    }
  }

  /// Runs one step; throws std::runtime_error with the reason when it does not do what it says.
  void step(const std::string& line) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) return;
    cpu_ = 0;
    if (word[0] == '@') {
      cpu_ = std::stoul(word.substr(1));
      words >> word;
    }
    if (word == "map") return map(words);
    if (word == "unmap") return unmap(words);
    if (word == "read" || word == "write" || word == "fetch") return refer(word, words);
    if (word == "cr3") return write_cr3(words);
    invalidate(word, words);
  }

 private:
  static constexpr auto kCause = evidence::FlushCause::local_shootdown;

  static Vpn page(std::istringstream& words) {
    std::string text;
    words >> text;
    const bool kernel = text.at(0) == 'k';
    return (kernel ? kKernelHalf : 0) + std::stoull(text.substr(kernel ? 1 : 0), nullptr, 16);
  }
  static std::uint32_t number(std::istringstream& words) {
    std::uint32_t value = 0;
    if (!(words >> value)) throw std::runtime_error("a number is missing");
    return value;
  }
  TestTables& tables(std::istringstream& words) {
    std::string name;
    words >> name;
    return name == "A" ? tables_a_ : name == "B" ? tables_b_ : kernel_;
  }
  Mmu& mmu() { return mmus_.at(cpu_); }

  void map(std::istringstream& words) {
    TestTables& into = tables(words);
    const Vpn vpn = page(words);
    std::string size, rights, global;
    words >> size >> rights >> global;
    into.map(vpn, {0,
                   size == "1G"   ? PageSize::k1G
                   : size == "2M" ? PageSize::k2M
                                  : PageSize::k4K,
                   rights == "rw", global == "global"});
  }
  void unmap(std::istringstream& words) {
    TestTables& from = tables(words);
    from.unmap(page(words));
  }
  void write_cr3(std::istringstream& words) {
    std::string root, flush;
    words >> root;
    const std::uint32_t pcid = number(words);
    words >> flush;
    mmu().write_cr3(root == "A" ? a_ : b_, pcid, flush == "keep" ? NoFlush::set : NoFlush::clear, kCause);
  }
  void refer(const std::string& how, std::istringstream& words) {
    const Vpn vpn = page(words);
    std::string arrow, expected, stale;
    words >> arrow >> expected >> stale;
    const Access access = mmu().access(how == "read"    ? Reference::read
                                       : how == "write" ? Reference::write
                                                        : Reference::fetch,
                                       vpn);
    const Mapping* now = mmu().root()->find(vpn);
    const bool is_stale =
        access.translation != nullptr && (now == nullptr || now->version != access.translation->mapping.version);
    if (outcome_name(access.outcome) != expected) throw std::runtime_error("was " + outcome_name(access.outcome));
    if (is_stale != (stale == "stale")) throw std::runtime_error(is_stale ? "used a stale entry" : "was not stale");
  }
  static std::string outcome_name(Outcome outcome) {
    switch (outcome) {
      case Outcome::l1_hit:
      case Outcome::stlb_hit:
        return "hit";
      case Outcome::walk:
        return "walk";
      case Outcome::not_present:
        return "absent";
      case Outcome::write_protected:
        break;
    }
    return "refused";
  }
  void invalidate(const std::string& what, std::istringstream& words) {
    if (what == "invlpg") return mmu().invlpg(page(words), kCause);
    if (what == "pge") return mmu().toggle_pge(kCause);
    if (what == "invpcid") return invpcid(number(words), words);
    if (!what.starts_with("broadcast")) throw std::runtime_error("no such step");
    const std::uint32_t pcid = number(words);
    const Vpn vpn = page(words);
    for (Mmu& each : mmus_)
      each.broadcast_address(pcid, vpn, what == "broadcast" ? Mmu::Globals::keep : Mmu::Globals::drop, kCause);
  }
  void invpcid(std::uint32_t type, std::istringstream& words) {
    if (type == 2) return mmu().invpcid_all(kCause);
    if (type == 3) return mmu().invpcid_all_nonglobal(kCause);
    const std::uint32_t pcid = number(words);
    type == 0 ? mmu().invpcid_address(pcid, page(words), kCause) : mmu().invpcid_single(pcid, kCause);
  }

  TestTables tables_a_{10}, tables_b_{11}, kernel_{12};
  TestRoot a_{1, tables_a_, kernel_}, b_{2, tables_b_, kernel_};
  std::deque<Core> cores_;
  std::vector<Mmu> mmus_;
  std::size_t cpu_ = 0;
};

/// Runs the steps; "" or the first line that does not do what it says, and why.
inline std::string run_scenario(const DrawnMachine& machine, Pcids pcids, const std::string& steps) {
  ScenarioRun run(machine, pcids);
  std::istringstream lines(steps);
  for (std::string line; std::getline(lines, line);) try {
      run.step(line);
    } catch (const std::exception& error) {
      return line + ": " + error.what();
    }
  return "";
}

}  // namespace tollgate::hw::test
