// The store as the verbs name it: where it is, and the sessions in it, ours and imported ones, by name.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "evidence/measurement.h"
#include "import/import.h"
#include "store/store.h"

namespace tollgate::cli {

/// --store FILE.
OptionSpec store_option();

/// What --store says, or measurements.db in the user's data folder.
Result<std::string> store_path(const Arguments& arguments);

/// Seconds since 1970.
double now();

/// The command line that goes on with the session of that id.
std::string resume_text(const Arguments& arguments, std::int64_t id);

/// The runs of a session of our own, with its noise floor where it has one. A variant without a run is an error.
Result<evidence::Measurement> measured(const Arguments& arguments, const store::Session& session,
                                       std::span<const store::Run> runs);

/// The session of our own of that id or name, "" for the latest; an error says what imported ones there are.
Result<std::int64_t> find_own(store::Store& kept, const std::string& id_or_name);

/// The kept session of that name, ours or imported. Where both have it, the name is the imported one's: ours has an id too.
Result<import::Imported> kept_results(const Arguments& arguments, store::Store& kept, const std::string& name);

/// `measure` with a mode that shows or exports, of an imported session.
Result<ExitStatus> deliver_imported(const Arguments& arguments, const store::ImportedSession& session);

}  // namespace tollgate::cli
