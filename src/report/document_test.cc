#include "report/document.h"

#include <gtest/gtest.h>

namespace tollgate::report {
namespace {

Document small_document() {
  return {Heading{1, "A title"}, Heading{2, "numbers"},
          Table{{{"name", Align::left}, {"value", Align::right}}, {{"a", "1,000"}, {"\xC2\xB5second", "2"}}},
          Bullets{{"first", "second"}}, Paragraph{"The end."}};
}

TEST(Document, TextAlignsColumnsByCharactersNotByBytes) {
  EXPECT_EQ(render_text(small_document()),
            "A title\n"
            "numbers\n"
            "name    | value\n"
            "a       | 1,000\n"
            "\xC2\xB5second |     2\n"
            "\n"
            "- first\n"
            "- second\n"
            "\n"
            "The end.\n");
}

TEST(Document, MarkdownHasTheSameContent) {
  EXPECT_EQ(render_markdown(small_document()),
            "## A title\n"
            "\n"
            "### numbers\n"
            "\n"
            "| name | value |\n"
            "| --- | ---: |\n"
            "| a | 1,000 |\n"
            "| \xC2\xB5second | 2 |\n"
            "\n"
            "- first\n"
            "- second\n"
            "\n"
            "The end.\n");
}

TEST(Document, LongParagraphsAndBulletsAreWrappedAtAHundredColumns) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  const std::string text = render_text({Paragraph{words}, Bullets{{words}}});
  std::size_t start = 0, lines = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1, ++lines)
    EXPECT_LE(end - start, 100u);
  EXPECT_EQ(lines, 3u + 1u + 4u);
  EXPECT_NE(text.find("\n  word"), std::string::npos) << "a bullet's later lines are indented";
}

TEST(Document, MarkupAndControlCharactersInNamesDoNoHarm) {
  const Document document{Table{{{"a|b", Align::left}}, {{"x\ny"}, {"\x1b[31m<i>&"}}}};
  EXPECT_EQ(render_text(document), "a|b\nx y\n?[31m<i>&\n");
  EXPECT_EQ(render_markdown(document), "| a\\|b |\n| --- |\n| x y |\n| ?\\[31m\\<i\\>\\& |\n");
}

TEST(Document, UnderscoresInsideNamesStayReadableInMarkdown) {
  EXPECT_EQ(render_markdown({Paragraph{"ops_per_s and _this_"}}), "ops_per_s and \\_this\\_\n");
}

}  // namespace
}  // namespace tollgate::report
