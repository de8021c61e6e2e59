// What `tollgate trace simulate` prints, as a document and as JSON (docs/schema/trace-simulation.schema.json).
#pragma once

#include <string>
#include <vector>

#include "report/document.h"
#include "simulate/simulator.h"

namespace tollgate::cli {

/// A swept level: its curve from the stack, or, where a policy has none, the setups that were simulated for it.
struct Sweep {
  simulate::Curve::Level level = simulate::Curve::Level::l1d;
  std::uint64_t sets = 1;
  std::vector<int> ways;
  int curve = -1;                   // index of the request; -1: plain simulation
  std::vector<std::size_t> setups;  // by ways
};

struct Simulation {
  std::string path;
  std::string origin;
  std::string policy;
  std::string page_sizes;
  std::vector<simulate::Setup> setups;
  std::size_t shown = 0;  // setups; those behind them belong to sweeps
  std::vector<simulate::StreamResult> streams;
  std::vector<Sweep> sweeps;
  std::uint64_t switches = 0;
  std::uint64_t flushes = 0;
  std::vector<std::string> warnings;
};

report::Document trace_simulation_document(const Simulation& simulation);
std::string trace_simulation_json(const Simulation& simulation);

}  // namespace tollgate::cli
