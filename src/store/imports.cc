#include "store/imports.h"

#include <fmt/core.h>

#include "base/text.h"
#include "evidence/reservations.h"
#include "store/file.h"
#include "store/names.h"

namespace tollgate::store {
namespace {

using evidence::Measurement;
using evidence::Order;
using evidence::Series;
using evidence::SummaryOnly;

// Added to version 1 of the file, whose other tables know nothing of them.
constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS imported(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, files TEXT NOT NULL, format TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE, created REAL NOT NULL, title TEXT NOT NULL, machine TEXT NOT NULL,
  primary_metric TEXT NOT NULL, margin_percent REAL, level REAL NOT NULL,
  run_order TEXT NOT NULL CHECK(run_order IN ('unknown', 'sequence', 'random', 'abba')),
  seed INTEGER NOT NULL, runs INTEGER NOT NULL, noise_floor_percent REAL) STRICT;
CREATE TABLE IF NOT EXISTS imported_text(
  imported INTEGER NOT NULL REFERENCES imported(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK(kind IN ('variant', 'compared', 'note', 'warning')),
  number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(imported, kind, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imported_series(
  id INTEGER PRIMARY KEY, imported INTEGER NOT NULL REFERENCES imported(id) ON DELETE CASCADE,
  variant TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL,
  better TEXT NOT NULL CHECK(better IN ('higher', 'lower', 'neither')), source TEXT NOT NULL,
  count INTEGER, mean REAL, median REAL, minimum REAL, maximum REAL, deviation REAL, standard_error REAL,
  half_step REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS imported_series_of ON imported_series(imported);
CREATE TABLE IF NOT EXISTS imported_sample(
  series INTEGER NOT NULL REFERENCES imported_series(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  run INTEGER NOT NULL, value REAL NOT NULL, position INTEGER, block INTEGER, boot TEXT NOT NULL, start REAL,
  PRIMARY KEY(series, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imported_condition(
  imported INTEGER NOT NULL REFERENCES imported(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  variant TEXT NOT NULL, run INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(imported, number)) STRICT, WITHOUT ROWID;
)";

constexpr config::Choice<Order> kImportedOrders[] = {{"unknown", Order::unknown},
                                                     {"sequence", Order::in_sequence},
                                                     {"random", Order::random_blocks},
                                                     {"abba", Order::abba}};

template <typename Enum, std::size_t N>
Enum known(const config::Choice<Enum> (&choices)[N], const std::string& name) {
  if (const auto value = value_named(choices, name)) return *value;
  throw SQLite::Exception(fmt::format("'{}' is no word of this version", name));
}

template <typename Whole>
void bind_whole(SQLite::Statement& statement, int at, const std::optional<Whole>& value) {
  if (value)
    statement.bind(at, std::int64_t(*value));
  else
    statement.bind(at);
}

std::optional<double> real(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getDouble());
}

std::optional<std::uint32_t> whole(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getUInt());
}

/// Writes one session, within the caller's transaction.
class Writer {
 public:
  explicit Writer(DatabaseFile& file) : file_(file) {}

  void write(const ImportedSession& session) {
    const Measurement& measurement = session.measurement;
    write_head(session);
    write_texts("variant", measurement.variants);
    write_texts("compared", measurement.terms.compared);
    write_texts("note", measurement.notes);
    write_texts("warning", measurement.warnings);
    for (const Series& series : measurement.series) write_series(series);
    write_conditions(measurement);
  }

 private:
  void write_head(const ImportedSession& session) {
    auto insert = file_.statement("INSERT INTO imported VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const Measurement& measurement = session.measurement;
    const auto& terms = measurement.terms;
    insert.bind(1, session.name);
    insert.bind(2, session.files);
    insert.bind(3, session.format);
    insert.bind(4, session.digest);
    insert.bind(5, session.created);
    insert.bind(6, measurement.title);
    insert.bind(7, measurement.machine);
    insert.bind(8, terms.primary);
    bind(insert, 9, terms.margin_percent);
    insert.bind(10, terms.level);
    insert.bind(11, std::string(config::name_of<Order>(kImportedOrders, terms.order)));
    insert.bind(12, std::int64_t(terms.seed));
    insert.bind(13, std::int64_t(terms.runs));
    bind(insert, 14, measurement.noise_floor_percent);
    insert.exec();
    id_ = file_.database.getLastInsertRowid();
  }

  void write_texts(const char* kind, const std::vector<std::string>& texts) {
    auto insert = file_.statement("INSERT INTO imported_text VALUES(?, ?, ?, ?)");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      insert.reset();
      insert.bind(1, id_);
      insert.bind(2, kind);
      insert.bind(3, std::int64_t(i));
      insert.bind(4, texts[i]);
      insert.exec();
    }
  }

  void write_series(const Series& series) {
    auto insert = file_.statement("INSERT INTO imported_series VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, id_);
    insert.bind(2, series.variant);
    insert.bind(3, series.metric.name);
    insert.bind(4, series.metric.unit);
    insert.bind(5, std::string(config::name_of<evidence::Better>(kBetter, series.metric.better)));
    insert.bind(6, series.source);
    if (series.summary) {
      const SummaryOnly& summary = *series.summary;
      bind_whole(insert, 7, summary.count);
      bind(insert, 8, summary.mean);
      bind(insert, 9, summary.median);
      bind(insert, 10, summary.min);
      bind(insert, 11, summary.max);
      bind(insert, 12, summary.deviation);
      bind(insert, 13, summary.standard_error);
    }
    insert.bind(14, series.half_step);
    insert.exec();
    write_samples(file_.database.getLastInsertRowid(), series);
  }

  void write_samples(std::int64_t id, const Series& series) {
    auto insert = file_.statement("INSERT INTO imported_sample VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t number = 0;
    for (const auto& sample : series.samples) {
      insert.reset();
      insert.bind(1, id);
      insert.bind(2, number++);
      insert.bind(3, std::int64_t(sample.run));
      insert.bind(4, sample.value);
      bind_whole(insert, 5, sample.position);
      bind_whole(insert, 6, sample.block);
      insert.bind(7, sample.boot);
      bind(insert, 8, sample.start);
      insert.exec();
    }
  }

  void write_conditions(const Measurement& measurement) {
    auto insert = file_.statement("INSERT INTO imported_condition VALUES(?, ?, ?, ?, ?, ?)");
    std::int64_t number = 0;
    for (const auto& condition : evidence::conditions_with_reservations(measurement)) {
      insert.reset();
      insert.bind(1, id_);
      insert.bind(2, number++);
      insert.bind(3, condition.variant);
      insert.bind(4, std::int64_t(condition.run));
      insert.bind(5, condition.name);
      insert.bind(6, condition.value);
      insert.exec();
    }
  }

  DatabaseFile& file_;
  std::int64_t id_ = 0;
};

/// Reads one session back.
class Reader {
 public:
  explicit Reader(DatabaseFile& file) : file_(file) {}

  std::optional<ImportedSession> read(const std::string& name) {
    auto row = file_.statement("SELECT * FROM imported WHERE name = ?");
    row.bind(1, name);
    if (!row.executeStep()) return std::nullopt;
    id_ = row.getColumn(0).getInt64();
    ImportedSession session;
    session.name = name;
    session.files = row.getColumn(2).getString();
    session.format = row.getColumn(3).getString();
    session.digest = row.getColumn(4).getString();
    session.created = row.getColumn(5).getDouble();
    Measurement& measurement = session.measurement;
    measurement.title = row.getColumn(6).getString();
    measurement.machine = row.getColumn(7).getString();
    auto& terms = measurement.terms;
    terms.primary = row.getColumn(8).getString();
    terms.margin_percent = real(row.getColumn(9));
    terms.level = row.getColumn(10).getDouble();
    terms.order = known(kImportedOrders, row.getColumn(11).getString());
    terms.seed = std::uint64_t(row.getColumn(12).getInt64());
    terms.runs = row.getColumn(13).getUInt();
    measurement.noise_floor_percent = real(row.getColumn(14));
    read_texts(measurement);
    read_series(measurement);
    read_conditions(measurement);
    return session;
  }

 private:
  void read_texts(Measurement& measurement) {
    auto row = file_.statement("SELECT kind, text FROM imported_text WHERE imported = ? ORDER BY kind, number");
    row.bind(1, id_);
    while (row.executeStep()) {
      const std::string kind = row.getColumn(0).getString();
      auto& texts = kind == "variant"    ? measurement.variants
                    : kind == "compared" ? measurement.terms.compared
                    : kind == "note"     ? measurement.notes
                                         : measurement.warnings;
      texts.push_back(row.getColumn(1).getString());
    }
  }

  void read_series(Measurement& measurement) {
    auto row = file_.statement("SELECT * FROM imported_series WHERE imported = ? ORDER BY id");
    row.bind(1, id_);
    while (row.executeStep()) {
      Series& series = measurement.series.emplace_back();
      series.variant = row.getColumn(2).getString();
      series.metric = {row.getColumn(3).getString(), row.getColumn(4).getString(),
                       known(kBetter, row.getColumn(5).getString())};
      series.source = row.getColumn(6).getString();
      series.half_step = row.getColumn(14).getDouble();
      read_samples(row.getColumn(0).getInt64(), series);
      if (series.samples.empty()) series.summary = summary_of(row);
    }
  }

  static SummaryOnly summary_of(SQLite::Statement& row) {
    SummaryOnly summary;
    if (!row.isColumnNull(7)) summary.count = std::uint64_t(row.getColumn(7).getInt64());
    summary.mean = real(row.getColumn(8));
    summary.median = real(row.getColumn(9));
    summary.min = real(row.getColumn(10));
    summary.max = real(row.getColumn(11));
    summary.deviation = real(row.getColumn(12));
    summary.standard_error = real(row.getColumn(13));
    return summary;
  }

  void read_samples(std::int64_t id, Series& series) {
    auto row = file_.statement(
        "SELECT value, run, position, block, boot, start FROM imported_sample WHERE series = ? ORDER BY number");
    row.bind(1, id);
    while (row.executeStep())
      series.samples.push_back({row.getColumn(0).getDouble(), row.getColumn(1).getUInt(), whole(row.getColumn(2)),
                                whole(row.getColumn(3)), row.getColumn(4).getString(), real(row.getColumn(5))});
  }

  void read_conditions(Measurement& measurement) {
    auto row =
        file_.statement("SELECT variant, run, name, value FROM imported_condition WHERE imported = ? ORDER BY number");
    row.bind(1, id_);
    while (row.executeStep())
      measurement.conditions.push_back({row.getColumn(0).getString(), row.getColumn(1).getUInt(),
                                        row.getColumn(2).getString(), row.getColumn(3).getString()});
    evidence::take_reservations(measurement);
  }

  DatabaseFile& file_;
  std::int64_t id_ = 0;
};

/// The name and files of the import that the query finds for `value`.
std::optional<std::pair<std::string, std::string>> found_by(DatabaseFile& file, const char* query,
                                                            const std::string& value) {
  auto row = file.statement(query);
  row.bind(1, value);
  if (!row.executeStep()) return std::nullopt;
  return std::pair(row.getColumn(0).getString(), row.getColumn(1).getString());
}

std::optional<Error> why_refused(DatabaseFile& file, const ImportedSession& session, IfTaken if_taken) {
  const auto twin = found_by(file, "SELECT name, files FROM imported WHERE digest = ?", session.digest);
  if (twin && (twin->first != session.name || if_taken == IfTaken::refuse))
    return Error{fmt::format("these results are kept already, as session '{}'", printable(twin->first)),
                 {session.files}};
  const auto other = found_by(file, "SELECT name, files FROM imported WHERE name = ?", session.name);
  if (other && if_taken == IfTaken::refuse)
    return Error{fmt::format("session '{}' is kept already, of other results ({})", printable(session.name),
                             printable(other->second)),
                 {session.files}};
  return std::nullopt;
}

/// With all that hangs on it.
void delete_named(DatabaseFile& file, const std::string& name) {
  auto remove = file.statement("DELETE FROM imported WHERE name = ?");
  remove.bind(1, name);
  remove.exec();
}

}  // namespace

void Imports::prepare(DatabaseFile& file) { file.database.exec(kSchema); }

Result<void> Imports::add(std::span<const ImportedSession> sessions, IfTaken if_taken) {
  const auto refused = TRY(file_->guarded([&]() -> std::optional<Error> {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const ImportedSession& session : sessions) {
      if (auto why = why_refused(*file_, session, if_taken)) return why;
      delete_named(*file_, session.name);
      Writer(*file_).write(session);
    }
    transaction.commit();
    return std::nullopt;
  }));
  if (refused) return tl::unexpected(*refused);
  return {};
}

Result<std::optional<ImportedSession>> Imports::find(const std::string& name) {
  return file_->guarded([&] { return Reader(*file_).read(name); });
}

Result<void> Imports::remove(const std::string& name) {
  return file_->guarded([&] { delete_named(*file_, name); });
}

Result<std::vector<ImportedLine>> Imports::list() {
  return file_->guarded([&] {
    auto row = file_->statement(R"(
      SELECT name, format, created,
             (SELECT count(*) FROM imported_text WHERE imported = i.id AND kind = 'variant'),
             (SELECT coalesce(sum(runs), 0) FROM
               (SELECT max(coalesce(count, (SELECT count(*) FROM imported_sample WHERE series = s.id))) AS runs
                FROM imported_series AS s WHERE imported = i.id GROUP BY variant))
      FROM imported AS i ORDER BY id DESC)");
    std::vector<ImportedLine> lines;
    while (row.executeStep())
      lines.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getDouble(),
                       row.getColumn(3).getUInt(), std::uint64_t(row.getColumn(4).getInt64())});
    return lines;
  });
}

}  // namespace tollgate::store
