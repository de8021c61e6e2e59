// The shapes in which mail arrives, each with the same table in it; what is cut short or is no text; pieces of any size.
#include "audit/message_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "audit/audit.h"

namespace tollgate::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTable =
    "| case | before | after | change |\n| a | 100.0 | 93.0 | -7.0% |\n| b | 310.0 | 279.0 | -19.0% |\n";

std::vector<Message> read(std::string_view bytes) {
  std::vector<Message> messages;
  EXPECT_TRUE(read_messages(bytes, "m", [&](Message message) { messages.push_back(std::move(message)); }));
  return messages;
}

std::string mail(const std::string& fields, const std::string& body) {
  return "From: a@example.org\nSubject: x\nMIME-Version: 1.0\n" + fields + "\n" + body;
}

std::string boxed(const std::string& message) { return "From mboxrd@z Thu Jan  1 00:00:00 1970\n" + message + "\n"; }

/// The printed figures that are called wrong, with their lines in the file.
std::vector<std::string> wrong(std::string_view bytes) {
  std::vector<std::string> found;
  for (const Message& message : read(bytes))
    for (const Finding& finding : audit_lines("m", message.lines).findings)
      if (finding.severity == Severity::wrong) found.push_back(std::to_string(finding.line) + " " + finding.printed);
  return found;
}

TEST(MessageStream, ASingleMessageIsRead) { EXPECT_THAT(wrong(mail("", kTable)), ElementsAre("7 -19.0%")); }

TEST(MessageStream, AnMboxIsCutAtItsMarkersAndLinesAreThoseOfTheFile) {
  const std::string box = boxed(mail("", kTable)) + boxed(mail("", "no figures here\n")) + boxed(mail("", kTable));
  EXPECT_EQ(read(box).size(), 3u);
  EXPECT_THAT(wrong(box), ElementsAre("8 -19.0%", "24 -19.0%"));
}

TEST(MessageStream, ALineOfProseThatBeginsWithFromIsNoMarker) {
  EXPECT_EQ(read(boxed(mail("", "one\n\nFrom 2019 on it took 12% longer\n\ntwo\n"))).size(), 1u);
}

TEST(MessageStream, AnEscapedFromLosesItsMark) {
  const auto messages = read(boxed(mail("", ">From 100 to 93 it fell by 7%\n>>From here\n> quoted\n")));
  ASSERT_EQ(messages.size(), 1u);
  ASSERT_EQ(messages[0].lines.size(), 4u);  // the blank line before the next marker is one
  EXPECT_EQ(messages[0].lines[0].text, "From 100 to 93 it fell by 7%");
  EXPECT_EQ(messages[0].lines[0].depth, 0u);
  EXPECT_EQ(messages[0].lines[1].depth, 1u);
  EXPECT_EQ(messages[0].lines[2].text, "quoted");
}

TEST(MessageStream, QuotationComesOffToAnyDepth) {
  std::string quoted;
  for (const std::string_view line :
       {"| case | before | after | change |", "| a | 100.0 | 93.0 | -7.0% |", "| b | 310.0 | 279.0 | -19.0% |"})
    quoted += ">> > " + std::string(line) + "\n";
  EXPECT_THAT(wrong(mail("", quoted)), ElementsAre("7 -19.0%"));
}

TEST(MessageStream, QuotedPrintableKeepsTheLinesOfTheFile) {
  const std::string fields = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n";
  const auto messages = read(mail(fields, "one =\nstill one\ntwo =C2=B1 3%\n"));
  ASSERT_EQ(messages.size(), 1u);
  ASSERT_EQ(messages[0].lines.size(), 2u);
  EXPECT_EQ(messages[0].lines[0].text, "one still one");
  EXPECT_EQ(messages[0].lines[0].number, 7u);
  EXPECT_EQ(messages[0].lines[1].text, "two +- 3%");
  EXPECT_EQ(messages[0].lines[1].number, 9u);
}

TEST(MessageStream, FlowedLinesAreJoined) {
  const std::string fields = "Content-Type: text/plain; charset=us-ascii; format=flowed\n";
  EXPECT_THAT(wrong(mail(fields, "The time goes down from 8.412 s to \n7.903 s, a 9.1% improvement\n")),
              ElementsAre("6 9.1%"));
}

TEST(MessageStream, OtherCharacterSetsAreConverted) {
  const std::string fields = "Content-Type: text/plain; charset=iso-8859-1\n";
  const auto messages = read(mail(fields, "47 \xb1 3%\n"));
  ASSERT_EQ(messages.size(), 1u);
  ASSERT_EQ(messages[0].lines.size(), 1u);
  EXPECT_EQ(messages[0].lines[0].text, "47 +- 3%");
  EXPECT_THAT(messages[0].warnings, IsEmpty());
}

TEST(MessageStream, AnUnknownCharacterSetIsNamed) {
  const auto messages = read(mail("Content-Type: text/plain; charset=x-nobody\n", "47 \xb1 3%\n"));
  ASSERT_EQ(messages.size(), 1u);
  ASSERT_FALSE(messages[0].warnings.empty());
  EXPECT_THAT(messages[0].warnings[0], HasSubstr("'x-nobody' is not known"));
}

TEST(MessageStream, BytesThatAreNoUtf8AreAWarningWithTheirLine) {
  const auto messages = read("total 12%\nbad \xff\xfe 13%\n");
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0].warnings, ElementsAre(HasSubstr("line 2: not UTF-8")));
}

TEST(MessageStream, BinaryAndNothingAreErrors) {
  const auto utf16 = read_messages(std::string_view("\xff\xfe"
                                                    "a\0b\0",
                                                    6),
                                   "t", [](Message) {});
  ASSERT_FALSE(utf16);
  EXPECT_THAT(utf16.error().message, HasSubstr("is UTF-16: 'iconv"));
  for (const std::string_view bytes : {std::string_view("\x7f"
                                                        "ELF\0\0",
                                                        6),
                                       std::string_view()})
    EXPECT_FALSE(read_messages(bytes, "m", [](Message) { FAIL(); }));
}

TEST(MessageStream, WhatIsCutShortIsSaid) {
  const std::string multipart =
      mail("Content-Type: multipart/mixed; boundary=b\n", std::string("--b\nContent-Type: text/plain\n\n") + kTable);
  const auto warnings = [](const std::string& bytes) { return read(bytes).at(0).warnings; };
  EXPECT_THAT(warnings(multipart), ElementsAre(HasSubstr("closing boundary")));
  EXPECT_THAT(wrong(multipart), ElementsAre("11 -19.0%"));
  EXPECT_THAT(warnings(multipart + "--b--\n"), IsEmpty());
  EXPECT_THAT(warnings(mail("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n", "dG90YWwgM\n")),
              ElementsAre(HasSubstr("within base64")));
  EXPECT_THAT(warnings("From: a@example.org\nSubject: x\n"), ElementsAre(HasSubstr("within its header")));
}

TEST(MessageStream, PiecesOfAnySizeGiveTheSameMessages) {
  const std::string box = boxed(mail("", kTable)) + boxed(mail("", "\nFrom 2019 on\n\n")) + boxed(mail("", kTable));
  const auto whole = read(box);
  for (const std::size_t size : {1u, 2u, 7u, 40u, 113u}) {
    std::vector<Message> messages;
    MessageStream stream("m", [&](Message message) { messages.push_back(std::move(message)); });
    for (std::size_t at = 0; at < box.size(); at += size)
      ASSERT_TRUE(stream.add(std::string_view(box).substr(at, size)));
    ASSERT_TRUE(stream.finish());
    ASSERT_EQ(messages.size(), whole.size()) << size;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(messages[i].first_line, whole[i].first_line);
      ASSERT_EQ(messages[i].lines.size(), whole[i].lines.size());
    }
  }
}

TEST(MessageStream, MessagesComeBeforeTheEndSoThatMemoryIsBounded) {
  std::size_t messages = 0;
  MessageStream stream("m", [&](const Message&) { ++messages; });
  const std::string one = boxed(mail("", std::string(4000, 'x') + "\n"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(stream.add(one));
  EXPECT_GE(messages, 98u);
  ASSERT_TRUE(stream.finish());
  EXPECT_EQ(messages, 100u);
}

/// A message of more than 64 MiB, with a table at its head and one at its end, and a short message behind it.
std::string box_with_long_message() {
  std::string body = kTable;
  const std::string filler = std::string(1023, 'x') + "\n";
  while (body.size() <= MessageStream::kMostMessage + (std::size_t{1} << 20)) body += filler;
  return boxed(mail("", body + kTable)) + boxed(mail("", kTable));
}

TEST(MessageStream, AMessageTooLongIsReadInPartAndSaid) {
  const std::string box = box_with_long_message();
  const std::size_t marker = box.rfind("\nFrom ");
  const auto lines = std::count(box.begin(), box.begin() + static_cast<std::ptrdiff_t>(marker) + 1, '\n');
  for (const std::size_t piece : {marker - 1, marker + 3, marker + 9}) {  // before, within and behind the mark
    std::vector<Message> messages;
    MessageStream stream("m", [&](Message message) { messages.push_back(std::move(message)); });
    ASSERT_TRUE(stream.add(std::string_view(box).substr(0, piece)));
    ASSERT_TRUE(stream.add(std::string_view(box).substr(piece)));
    ASSERT_TRUE(stream.finish());
    ASSERT_EQ(messages.size(), 2U) << piece - marker;
    EXPECT_THAT(messages[0].warnings, ElementsAre(HasSubstr("longer than 64 MiB")));
    EXPECT_EQ(audit_lines("m", messages[0].lines).figures.size(), 2U);
    EXPECT_THAT(messages[1].warnings, IsEmpty());
    EXPECT_EQ(messages[1].first_line, static_cast<std::size_t>(lines) + 1);
  }
}

TEST(MessageStream, ATextThatIsNoMailIsReadInPiecesOf8MiB) {
  std::string text = "Figures of two kernels\n\n";
  while (text.size() <= 2 * MessageStream::kMostText) text += "words without any figures\n\n";
  text += kTable;
  const auto messages = read(text);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(audit_lines("m", messages[2].lines).figures.size(), 2U);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_THAT(wrong(text), ElementsAre(std::to_string(lines) + " -19.0%"));
}

TEST(MessageStream, CodeInAPatchIsLeftOutAndDocumentationInOneIsRead) {
  const auto patch = [](const std::string& file) {
    return "diff --git a/" + file + " b/" + file + "\n--- a/" + file + "\n+++ b/" + file +
           "\n@@ -1,2 +1,2 @@\n+from 100 to 93 it is 12%\n context\n";
  };
  EXPECT_THAT(wrong(patch("mm/vmalloc.c")), IsEmpty());
  EXPECT_THAT(wrong(patch("Documentation/a.txt")), ElementsAre("5 12%"));
}

TEST(MessageStream, AMessageALittleLongerThanTheBoundIsSaidToBeCut) {
  const auto messages = read(mail("", std::string((std::size_t{64} << 20) + 2000, 'a') + "\n"));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0].warnings, ElementsAre(HasSubstr("longer than 64 MiB")));
}

}  // namespace
}  // namespace tollgate::audit
