// A small session and its runs, for tests.
#pragma once

#include "store/session.h"

namespace tollgate::store {

/// Two variants, two metrics (wall, rate), `runs` runs each.
inline Session small_session(std::uint32_t runs) {
  Session session;
  session.name = "off / on";
  session.created = 1.7e9;
  session.machine = "Fake CPU";
  session.variants = {{"off", "./bench, \"quick\"", {}}, {"on", "./bench on", {}}};
  session.metrics = {{"wall", {"wall", "s", evidence::Better::lower}},
                     {"regex:rate[op/s]=([0-9]+)", {"rate", "op/s", evidence::Better::higher}}};
  session.terms.primary = "rate";
  session.terms.margin_percent = 1.5;
  session.terms.order = evidence::Order::random_blocks;
  session.terms.seed = 42;
  session.terms.runs = runs;
  return session;
}

inline Run small_run(std::uint32_t variant, std::uint32_t number, double wall, double rate) {
  Run run;
  run.variant = variant;
  run.number = number;
  run.position = 2 * number + variant;
  run.block = number;
  run.boot = "boot-1";
  run.start = 1.7e9 + run.position;
  run.values = {wall, rate};
  run.conditions = {{"governor", "performance"}, {"kernel", "6.1.0"}};
  return run;
}

}  // namespace tollgate::store
