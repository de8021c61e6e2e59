// Where the program finds the files it ships with: machines/, workloads/, kernels/, experiments/, published/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::cli {

/// $TOLLGATE_DATA when set, else the source tree the program was built from, else ../share/tollgate beside the program.
Result<std::filesystem::path> data_folder();

/// The names ("skylake-desktop") of the .toml files in the data folder's `kind` ("machines"), sorted.
Result<std::vector<std::string>> data_names(std::string_view kind);

/// <data>/<kind>/<name>.toml; a name with a slash or one that ends in .toml is a path and stays one. The file exists.
Result<std::filesystem::path> find_data_file(std::string_view kind, std::string_view name);

}  // namespace tollgate::cli
