#include "config/document.h"

#include <algorithm>

#include "config/node.h"
#include "config/text_file.h"

namespace tollgate::config {

Document::Document(std::unique_ptr<Node> root) : root_(std::move(root)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> Document::parse(std::string_view text, const std::string& file) {
  return Document(std::make_unique<Node>(TRY(read_toml(text, file))));
}

Result<Document> Document::load(const std::string& path) {
  const std::string text = TRY(read_text_file(path));
  return parse(text, path);
}

Result<void> Document::set(const std::string& setting, std::string_view part) {
  return apply_setting(*root_, setting, part);
}

Result<void> Document::set_all(std::span<const std::string> settings, std::string_view part) {
  for (const auto& setting : settings) TRY(set(setting, part));
  return {};
}

void Document::inherit(Document parent) { merge_missing(*root_, std::move(*parent.root_)); }

void Document::drop(std::string_view key) {
  std::erase_if(root_->children, [&](const Node& node) { return node.key == key; });
  std::erase_if(root_->asked, [&](const std::string& asked) { return asked == key; });
}

Table Document::root() { return Table(root_.get(), ""); }

Result<void> Document::finish() const { return refuse_unread(*root_, ""); }

}  // namespace tollgate::config
