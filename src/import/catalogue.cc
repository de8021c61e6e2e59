#include "import/catalogue.h"

#include <array>

namespace tollgate::import {

Importer hyperfine_json();
Importer hyperfine_csv();

std::span<const Importer> catalogue() {
  static const std::array kImporters = {
      hyperfine_json(),
      hyperfine_csv(),
  };
  return kImporters;
}

}  // namespace tollgate::import
