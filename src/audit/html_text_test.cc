#include "audit/html_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "audit/message_stream.h"

namespace tollgate::audit {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts_of(std::string_view html) {
  std::vector<std::string> texts;
  for (const HtmlLine& line : html_lines(html)) texts.push_back(line.text);
  return texts;
}

TEST(HtmlLines, CellsStandBetweenBars) {
  EXPECT_THAT(
      texts_of("<table><tr><th>kernel</th><th>time</th></tr>\n<tr>\n<td>base</td>\n<td><p>12.5&nbsp;s</p></td>\n"
               "</tr></table>"),
      ElementsAre("| kernel | time |", "| base | 12.5 s |"));
}

TEST(HtmlLines, KnowTheLineTheyBeginIn) {
  const auto lines = html_lines("<html>\n<style>\np { width: 40% }\n</style>\n<!-- 1\n2 -->one<br>two\n<p>three");
  ASSERT_EQ(lines.size(), 4U);  // a blank one before the paragraph
  EXPECT_EQ(lines[0].source, 5U);
  EXPECT_EQ(lines[1].source, 5U);
  EXPECT_EQ(lines[3].text, "three");
  EXPECT_EQ(lines[3].source, 6U);
}

TEST(HtmlLines, EntitiesQuotesAndPreformattedText) {
  EXPECT_THAT(texts_of("a &lt; b &amp; c &#43;&#x2212; &nosuch; &\n"), ElementsAre("a < b & c +\u2212 &nosuch; &"));
  EXPECT_THAT(texts_of("<blockquote>said<br>so</blockquote>now"), ElementsAre("> said", "> so", "", "now"));
  EXPECT_THAT(texts_of("<pre>a   1\nb   2</pre>"), ElementsAre("a   1", "b   2"));
}

TEST(HtmlLines, WhatIsNoTagStays) {
  EXPECT_THAT(texts_of("1 < 2 and <3 <b"), ElementsAre("1 < 2 and <3 <b"));
  EXPECT_TRUE(texts_of("<!-- never closed 5%").empty());
  EXPECT_TRUE(texts_of("<script>never closed 5%").empty());
}

TEST(HtmlLines, CrossedOutFiguresAreLeftOutAndPowersStayApart) {
  EXPECT_THAT(texts_of("<s>118.2</s>110.2 <DEL>7</del >8 <strike>9</strike>"), ElementsAre("110.2 8"));
  EXPECT_THAT(texts_of("<s>a</span>b</s>c &ndash;5%"), ElementsAre("c \u20135%"));
  EXPECT_THAT(texts_of("2 x 10<sup>6</sup> in 120<sup class=note>1</sup> s"), ElementsAre("2 x 10^6 in 120^1 s"));
}

TEST(HtmlMail, OfAlternativesHtmlIsReadWhereThePlainPartHasNoFigures) {
  const auto figures = [](const std::string& plain) {
    const std::string mail =
        "From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\n" +
        plain + "\n--b\nContent-Type: text/html\n\n<p>from 100 to 93: -7%</p>\n--b--\n";
    std::size_t count = 0;
    EXPECT_TRUE(
        read_messages(mail, "mail", [&](const Message& m) { count = audit_lines(m.subject, m.lines).figures.size(); }));
    return count;
  };
  EXPECT_EQ(figures("This message needs a reader of HTML."), 1U);
  EXPECT_EQ(figures("from 100 to 93: -7%"), 1U);
}

TEST(HtmlLines, CrossedOutTextThatNeverEndsIsRead) {
  EXPECT_THAT(texts_of("a <s>1</s>2 and <s>3 of 5%"), ElementsAre("a 2 and 3 of 5%"));
}

TEST(HtmlMail, IsReadWithoutItsTags) {
  const std::string mail =
      "From: A <a@example.org>\nSubject: numbers\nMIME-Version: 1.0\nContent-Type: text/html; charset=\"UTF-8\"\n\n"
      "<html><body><p>Hello,</p>\n<table>\n<tr><th>test</th><th>before</th><th>after</th><th>change</th></tr>\n"
      "<tr><td>fork</td><td>120.4</td><td>110.2</td><td style=\"width: 40%\">-8.5%</td></tr>\n"
      "<tr><td>exec</td><td>250.1</td><td>240.9</td><td>-3.9%</td></tr>\n</table></body></html>\n";
  Audited audited;
  ASSERT_TRUE(read_messages(mail, "mail",
                            [&](const Message& message) { audited = audit_lines(message.subject, message.lines); }));
  ASSERT_EQ(audited.figures.size(), 2U);
  EXPECT_EQ(audited.figures[0].verdict, "ok");
  EXPECT_EQ(audited.figures[0].line, 9U);
  EXPECT_EQ(audited.figures[1].published, "-3.9%");
  EXPECT_NE(audited.figures[1].verdict, "ok");
}

}  // namespace
}  // namespace tollgate::audit
