#include "store/store.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/text.h"
#include "store/file.h"
#include "store/imports.h"
#include "store/names.h"

namespace tollgate::store {
namespace {

namespace fs = std::filesystem;

constexpr int kApplication = 0x546f6c6c;  // "Toll", at byte 68 of the file
constexpr int kVersion = 1;

constexpr const char* kSchema = R"(
CREATE TABLE session(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL, machine TEXT NOT NULL,
  primary_metric TEXT NOT NULL, margin_percent REAL, level REAL NOT NULL,
  run_order TEXT NOT NULL CHECK(run_order IN ('sequence', 'random', 'abba')),
  seed INTEGER NOT NULL, runs INTEGER NOT NULL, boots INTEGER NOT NULL, warmup INTEGER NOT NULL,
  noise INTEGER NOT NULL CHECK(noise IN (0, 1)), on_failure TEXT NOT NULL CHECK(on_failure IN ('stop', 'keep')),
  prepare TEXT NOT NULL) STRICT;
CREATE TABLE variant(
  session INTEGER NOT NULL REFERENCES session(id), number INTEGER NOT NULL, name TEXT NOT NULL, command TEXT NOT NULL,
  kernel TEXT, with_words TEXT, without_words TEXT, PRIMARY KEY(session, number)) STRICT, WITHOUT ROWID;
CREATE TABLE metric(
  session INTEGER NOT NULL REFERENCES session(id), number INTEGER NOT NULL, spec TEXT NOT NULL, name TEXT NOT NULL,
  unit TEXT NOT NULL, better TEXT NOT NULL CHECK(better IN ('higher', 'lower', 'neither')),
  PRIMARY KEY(session, number)) STRICT, WITHOUT ROWID;
CREATE TABLE run(
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session(id),
  kind TEXT NOT NULL CHECK(kind IN ('measured', 'noise', 'warmup')), variant INTEGER NOT NULL, number INTEGER NOT NULL,
  position INTEGER NOT NULL, block INTEGER NOT NULL, boot TEXT NOT NULL, start REAL NOT NULL,
  exit_status INTEGER NOT NULL, UNIQUE(session, kind, variant, number)) STRICT;
CREATE TABLE value(
  run INTEGER NOT NULL REFERENCES run(id), metric INTEGER NOT NULL, value REAL NOT NULL,
  PRIMARY KEY(run, metric)) STRICT, WITHOUT ROWID;
CREATE TABLE condition(
  run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(run, name)) STRICT, WITHOUT ROWID;
)";

template <typename Enum, std::size_t N>
std::string text_of(const config::Choice<Enum> (&choices)[N], Enum value) {
  return std::string(config::name_of<Enum>(choices, value));
}

template <typename Enum, std::size_t N>
Enum value_of(const config::Choice<Enum> (&choices)[N], const std::string& name) {
  if (const auto value = value_named(choices, name)) return *value;
  throw SQLite::Exception(fmt::format("'{}' is no word of this version", name));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (auto& word : split(text, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace

struct Store::File : DatabaseFile {
  using DatabaseFile::DatabaseFile;

  int pragma(const char* name) { return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt(); }

  /// After this the file is ours, of this version, and survives a kill at any moment. WAL without a sync at each commit: a
  /// loss of power may take the last runs, never the file, and closing it syncs.
  Result<void> prepare() {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const bool is_new = pragma("schema_version") == 0;
    if (is_new) {
      database.exec(kSchema);
      database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kVersion));
    }
    if (pragma("application_id") != kApplication) return fail("is a database of another program", {path});
    if (pragma("user_version") != kVersion)
      return fail(fmt::format("has version {} of the store's format; this program reads version {}",
                              pragma("user_version"), kVersion),
                  {path});
    Imports::prepare(*this);
    transaction.commit();
    return {};
  }

  void add_variants(std::int64_t id, const Session& session) {
    auto insert = statement("INSERT INTO variant VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < session.variants.size(); ++i) {
      const Variant& variant = session.variants[i];
      insert.reset();
      insert.clearBindings();
      insert.bind(1, id);
      insert.bind(2, std::int64_t(i));
      insert.bind(3, variant.name);
      insert.bind(4, variant.command);
      if (variant.boot) {
        insert.bind(5, variant.boot->kernel);
        insert.bind(6, join(variant.boot->with, " "));
        insert.bind(7, join(variant.boot->without, " "));
      }
      insert.exec();
    }
  }

  void add_metrics(std::int64_t id, const Session& session) {
    auto insert = statement("INSERT INTO metric VALUES(?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < session.metrics.size(); ++i) {
      const Metric& metric = session.metrics[i];
      insert.reset();
      insert.bind(1, id);
      insert.bind(2, std::int64_t(i));
      insert.bind(3, metric.spec);
      insert.bind(4, metric.info.name);
      insert.bind(5, metric.info.unit);
      insert.bind(6, text_of(kBetter, metric.info.better));
      insert.exec();
    }
  }

  std::int64_t add_session(const Session& session) {
    auto insert = statement("INSERT INTO session VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const auto& terms = session.terms;
    insert.bind(1, session.name);
    insert.bind(2, session.created);
    insert.bind(3, session.machine);
    insert.bind(4, terms.primary);
    bind(insert, 5, terms.margin_percent);
    insert.bind(6, terms.level);
    insert.bind(7, text_of(kOrders, terms.order));
    insert.bind(8, std::int64_t(terms.seed));
    insert.bind(9, std::int64_t(terms.runs));
    insert.bind(10, std::int64_t(session.boots));
    insert.bind(11, std::int64_t(session.warmup));
    insert.bind(12, session.noise ? 1 : 0);
    insert.bind(13, text_of(kOnFailure, session.on_failure));
    insert.bind(14, session.prepare);
    insert.exec();
    return database.getLastInsertRowid();
  }

  std::int64_t add_run(std::int64_t session, const Run& run) {
    auto insert = statement("INSERT INTO run VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, session);
    insert.bind(2, text_of(kRunKinds, run.kind));
    insert.bind(3, std::int64_t(run.variant));
    insert.bind(4, std::int64_t(run.number));
    insert.bind(5, std::int64_t(run.position));
    insert.bind(6, std::int64_t(run.block));
    insert.bind(7, run.boot);
    insert.bind(8, run.start);
    insert.bind(9, run.exit_status);
    insert.exec();
    return database.getLastInsertRowid();
  }

  Session read_session(std::int64_t id) {
    auto row = statement("SELECT * FROM session WHERE id = ?");
    row.bind(1, id);
    if (!row.executeStep()) throw SQLite::Exception(fmt::format("there is no session {}", id));
    Session session;
    session.id = id;
    session.name = row.getColumn(1).getString();
    session.created = row.getColumn(2).getDouble();
    session.machine = row.getColumn(3).getString();
    auto& terms = session.terms;
    terms.primary = row.getColumn(4).getString();
    if (!row.isColumnNull(5)) terms.margin_percent = row.getColumn(5).getDouble();
    terms.level = row.getColumn(6).getDouble();
    terms.order = value_of(kOrders, row.getColumn(7).getString());
    terms.seed = std::uint64_t(row.getColumn(8).getInt64());
    terms.runs = row.getColumn(9).getUInt();
    session.boots = row.getColumn(10).getUInt();
    session.warmup = row.getColumn(11).getUInt();
    session.noise = row.getColumn(12).getInt() != 0;
    session.on_failure = value_of(kOnFailure, row.getColumn(13).getString());
    session.prepare = row.getColumn(14).getString();
    read_variants(session);
    read_metrics(session);
    return session;
  }

  void read_variants(Session& session) {
    auto row = statement(
        "SELECT name, command, kernel, with_words, without_words FROM variant WHERE session = ?"
        " ORDER BY number");
    row.bind(1, session.id);
    while (row.executeStep()) {
      Variant variant{row.getColumn(0).getString(), row.getColumn(1).getString(), std::nullopt};
      if (!row.isColumnNull(2))
        variant.boot = {row.getColumn(2).getString(), words_of(row.getColumn(3).getString()),
                        words_of(row.getColumn(4).getString())};
      session.variants.push_back(std::move(variant));
    }
  }

  void read_metrics(Session& session) {
    auto row = statement("SELECT spec, name, unit, better FROM metric WHERE session = ? ORDER BY number");
    row.bind(1, session.id);
    while (row.executeStep())
      session.metrics.push_back({row.getColumn(0).getString(),
                                 {row.getColumn(1).getString(), row.getColumn(2).getString(),
                                  value_of(kBetter, row.getColumn(3).getString())}});
  }

  std::vector<Run> read_runs(std::int64_t session) {
    auto row = statement(
        "SELECT id, kind, variant, number, position, block, boot, start, exit_status FROM run"
        " WHERE session = ? ORDER BY id");
    auto value = statement("SELECT metric, value FROM value WHERE run = ? ORDER BY metric");
    auto condition = statement("SELECT name, value FROM condition WHERE run = ?");
    row.bind(1, session);
    auto metric = statement("SELECT count(*) FROM metric WHERE session = ?");
    metric.bind(1, session);
    const std::size_t metrics = metric.executeStep() ? metric.getColumn(0).getUInt() : 0;
    std::vector<Run> runs;
    while (row.executeStep()) {
      const std::int64_t id = row.getColumn(0).getInt64();
      Run run;
      run.kind = value_of(kRunKinds, row.getColumn(1).getString());
      run.variant = row.getColumn(2).getUInt();
      run.number = row.getColumn(3).getUInt();
      run.position = row.getColumn(4).getUInt();
      run.block = row.getColumn(5).getUInt();
      run.boot = row.getColumn(6).getString();
      run.start = row.getColumn(7).getDouble();
      run.exit_status = row.getColumn(8).getInt();
      value.reset();
      value.bind(1, id);
      run.values.assign(metrics, std::numeric_limits<double>::quiet_NaN());
      while (value.executeStep()) {
        const std::size_t of = value.getColumn(0).getUInt();
        if (of >= metrics) throw SQLite::Exception("a value is of a metric that the session does not have");
        run.values[of] = value.getColumn(1).getDouble();
      }
      const bool whole = std::none_of(run.values.begin(), run.values.end(), [](double one) { return std::isnan(one); });
      if (!whole && run.exit_status == 0) throw SQLite::Exception("a run that did not fail lacks a value");
      condition.reset();
      condition.bind(1, id);
      while (condition.executeStep())
        run.conditions[condition.getColumn(0).getString()] = condition.getColumn(1).getString();
      runs.push_back(std::move(run));
    }
    return runs;
  }
};

Store::Store(std::unique_ptr<File> file) : file_(std::move(file)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return fail(fmt::format("cannot make the folder: {}", error.message()), {folder.string()});
  try {
    auto file = std::make_unique<File>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    TRY(file->prepare());
    return Store(std::move(file));
  } catch (const SQLite::Exception& problem) {
    return fail(problem.what(), {path});
  }
}

Result<Store> Store::open_existing(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return fail("no measurements are kept there", {path});
  return open(path);
}

Imports Store::imports() { return Imports(*file_); }

Result<std::int64_t> Store::add(const Session& session) {
  return file_->guarded([&] {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t id = file_->add_session(session);
    file_->add_variants(id, session);
    file_->add_metrics(id, session);
    transaction.commit();
    return id;
  });
}

Result<void> Store::describe(std::int64_t session, const evidence::MetricInfo& metric) {
  return file_->guarded([&] {
    auto update = file_->statement("UPDATE metric SET unit = ?, better = ? WHERE session = ? AND name = ?");
    update.bind(1, metric.unit);
    update.bind(2, text_of(kBetter, metric.better));
    update.bind(3, session);
    update.bind(4, metric.name);
    update.exec();
  });
}

Result<void> Store::add(std::int64_t session, const Run& run) {
  return file_->guarded([&] {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t id = file_->add_run(session, run);
    auto value = file_->statement("INSERT INTO value VALUES(?, ?, ?)");
    for (std::size_t i = 0; i < run.values.size(); ++i) {
      if (run.exit_status != 0 && std::isnan(run.values[i])) continue;
      value.reset();
      value.bind(1, id);
      value.bind(2, std::int64_t(i));
      value.bind(3, run.values[i]);
      value.exec();
    }
    auto condition = file_->statement("INSERT INTO condition VALUES(?, ?, ?)");
    for (const auto& [name, text] : run.conditions) {
      condition.reset();
      condition.bind(1, id);
      condition.bind(2, name);
      condition.bind(3, text);
      condition.exec();
    }
    transaction.commit();
  });
}

Result<std::uint64_t> Store::remove(std::int64_t session) {
  return file_->guarded([&] {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    const auto removed = [&](const char* text) {
      auto statement = file_->statement(text);
      statement.bind(1, session);
      return std::uint64_t(statement.exec());
    };
    removed("DELETE FROM value WHERE run IN (SELECT id FROM run WHERE session = ?)");
    removed("DELETE FROM condition WHERE run IN (SELECT id FROM run WHERE session = ?)");
    const std::uint64_t runs = removed("DELETE FROM run WHERE session = ?");
    removed("DELETE FROM metric WHERE session = ?");
    removed("DELETE FROM variant WHERE session = ?");
    removed("DELETE FROM session WHERE id = ?");
    transaction.commit();
    return runs;
  });
}

Result<Session> Store::session(std::int64_t id) {
  return file_->guarded([&] { return file_->read_session(id); });
}

Result<std::vector<Run>> Store::runs(std::int64_t session) {
  return file_->guarded([&] { return file_->read_runs(session); });
}

Result<std::vector<SessionLine>> Store::list() {
  return file_->guarded([&] {
    auto row = file_->statement(R"(
      SELECT id, name, created, (SELECT count(*) FROM variant WHERE session = s.id),
             (SELECT count(*) FROM run WHERE session = s.id AND kind = 'measured'), runs * max(1, boots)
      FROM session AS s ORDER BY id DESC)");
    std::vector<SessionLine> lines;
    while (row.executeStep()) {
      SessionLine line{row.getColumn(0).getInt64(),
                       row.getColumn(1).getString(),
                       row.getColumn(2).getDouble(),
                       row.getColumn(3).getUInt(),
                       0,
                       0};
      line.made = std::uint64_t(row.getColumn(4).getInt64());
      line.planned = std::uint64_t(row.getColumn(5).getInt64()) * line.variants;
      lines.push_back(std::move(line));
    }
    return lines;
  });
}

Result<std::int64_t> Store::find(const std::string& id_or_name) {
  const auto lines = TRY(list());
  if (lines.empty()) return fail("no session is kept there", {file_->path});
  if (id_or_name.empty()) return lines.front().id;
  constexpr std::size_t kMostKnown = 10;
  std::vector<std::string> names, known;
  for (const auto& line : lines) {
    if (line.name == id_or_name || std::to_string(line.id) == id_or_name) return line.id;
    names.push_back(line.name);
    if (known.size() < kMostKnown) known.push_back(fmt::format("{} '{}'", line.id, line.name));
  }
  if (known.size() < lines.size()) known.push_back(fmt::format("{} more", lines.size() - known.size()));
  if (!nearest(id_or_name, names).empty())
    return fail(fmt::format("there is no session '{}'{}", id_or_name, did_you_mean(id_or_name, names)), {file_->path});
  return fail(fmt::format("there is no session '{}' (known: {})", id_or_name, join(known, ", ")), {file_->path});
}

}  // namespace tollgate::store
