#include "cli/list_protocols.h"

#include <fmt/core.h>

#include "report/json_writer.h"
#include "world/explored/protocols.h"

namespace tollgate::cli {
namespace {

using explored::ProtocolInfo;
using explored::VariantInfo;

const char* known_word(const VariantInfo& variant) { return variant.known == VariantInfo::Known::bad ? "bad" : "good"; }

report::Document protocol_document(const ProtocolInfo& info) {
  report::Document document{report::Heading{1, fmt::format("{}: {}", info.name, info.summary)}};
  report::Table table{{{"variant"}, {"known to be"}, {"meaning"}}, {}};
  for (const VariantInfo& variant : info.variants)
    table.rows.push_back({std::string(variant.name), known_word(variant), std::string(variant.meaning)});
  document.emplace_back(table);
  document.emplace_back(
      report::Paragraph{fmt::format("tollgate check {} --variant {}; without --variant: {}.", info.name,
                                    info.variants.back().name, info.variants.front().name)});
  return document;
}

std::string protocol_json(const ProtocolInfo& info) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.protocol/1");
  json.key("name").text(info.name).key("summary").text(info.summary).key("variants").begin_array();
  for (const VariantInfo& variant : info.variants)
    json.begin_object()
        .key("name")
        .text(variant.name)
        .key("known")
        .text(known_word(variant))
        .key("meaning")
        .text(variant.meaning)
        .end_object();
  json.end_array().end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> protocol_entries() {
  std::vector<ListEntry> entries;
  for (const ProtocolInfo& info : explored::protocols())
    entries.push_back({std::string(info.name), std::string(info.summary)});
  return entries;
}

Result<ListDetail> protocol_detail(const std::string& name, const std::vector<std::string>&) {
  const ProtocolInfo& info = *TRY(explored::find_protocol(name));
  return ListDetail{protocol_document(info), protocol_json(info)};
}

}  // namespace tollgate::cli
