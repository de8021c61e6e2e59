// ChunkLoader: one chunk of a file, read, checked and decompressed; and what a scan finds when the index is lost.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/format.h"
#include "trace/input_file.h"

struct ZSTD_DCtx_s;

namespace tollgate::trace {

/// The beginning of a trace file. Says what the file is when it is none: empty, text to import, an archive.
Result<ParsedHeader> read_header(const InputFile& file);

/// The end of a trace file: totals and index, which must fit the file.
Result<Footer> read_footer(const InputFile& file, std::uint64_t first_chunk);

class ChunkLoader {
 public:
  ChunkLoader();

  /// Reads the chunk at `offset` and checks its sum.
  Result<ChunkHeader> check(const InputFile& file, std::uint64_t offset);
  /// The same, and decompresses it.
  Result<ChunkHeader> load(const InputFile& file, std::uint64_t offset);
  /// What load() found, with ChunkDecoder::kPadding bytes behind it.
  std::string_view padded() const { return padded_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> zstd_;
  std::string raw_;
  std::string padded_;
};

/// How much of a file is sound, from its first chunk up to the first that is not.
struct SoundPart {
  std::uint64_t chunks = 0;
  std::uint64_t references = 0;
  std::uint64_t end = 0;  // the byte behind the last sound chunk

  /// "the first 3 chunks (1,234 references) are good"
  std::string text() const;
};
SoundPart scan_sound_part(const InputFile& file, std::uint64_t first_chunk);

}  // namespace tollgate::trace
