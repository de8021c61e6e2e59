#include "cli/parse.h"

#include <gtest/gtest.h>

namespace tollgate::cli {
namespace {

Result<ExitStatus> nothing(const Arguments&) { return ExitStatus::kDone; }

const std::vector<CommandSpec>& verbs() {
  static const std::vector<CommandSpec> all = {
      {.name = "compare",
       .summary = "Compare variants.",
       .positionals = {{"EXPERIMENT", "a name or a path"}},
       .options = {{.name = "--format",
                    .value_name = "FORMAT",
                    .help = "how to print",
                    .default_text = "text",
                    .choices = {"text", "markdown", "json"}},
                   {.name = "--set", .value_name = "KEY=VALUE", .help = "change a value", .repeat = Repeat::kYes},
                   {.name = "--samples", .value_name = "N", .help = "draws", .default_text = "20"},
                   {.name = "--quiet", .value_name = "", .help = "say less"},
                   {.name = "-o", .value_name = "FILE", .help = "where to write"}},
       .examples = {"tollgate compare pti-global-lseek"},
       .run = nothing},
      {.name = "trace",
       .summary = "Recordings.",
       .subcommands = {{.name = "import", .summary = "Import.", .positionals = {{"FILE", "what"}}, .run = nothing},
                       {.name = "info", .summary = "Show.", .positionals = {{"FILE", "what"}}, .run = nothing}}},
      {.name = "list",
       .summary = "List.",
       .positionals = {{"KIND", "what"}, {"NAME", "which", Count::kOptional}},
       .run = nothing},
      {.name = "audit", .summary = "Audit.", .positionals = {{"FILE", "what", Count::kMany}}, .run = nothing},
  };
  return all;
}

auto parsed(std::vector<std::string> words) { return parse(verbs(), std::move(words), "1.2.3"); }

Arguments arguments(std::vector<std::string> words) {
  auto outcome = parsed(std::move(words));
  if (!outcome) ADD_FAILURE() << outcome.error().text();
  return std::get<Invocation>(outcome.value()).arguments;
}

std::string message(std::vector<std::string> words) {
  const auto outcome = parsed(std::move(words));
  return outcome ? "no error" : outcome.error().text();
}

std::string shown(std::vector<std::string> words) { return std::get<ShowText>(parsed(std::move(words)).value()).text; }

TEST(Parse, ValuesDefaultsListsAndFlagsReachTheVerb) {
  const auto given =
      arguments({"compare", "x", "--set", "a=1", "--format=json", "--set", "b=-2", "--quiet", "-o", "f"});
  EXPECT_EQ(given.text("EXPERIMENT"), "x");
  EXPECT_EQ(given.text("--format"), "json");
  EXPECT_EQ(given.list("--set"), (std::vector<std::string>{"a=1", "b=-2"}));
  EXPECT_TRUE(given.flag("--quiet"));
  EXPECT_EQ(given.text("-o"), "f");
  EXPECT_EQ(given.number("--samples").value(), 20u);
  EXPECT_FALSE(given.given("--samples"));

  const auto bare = arguments({"compare", "x"});
  EXPECT_EQ(bare.text("--format"), "text");
  EXPECT_TRUE(bare.list("--set").empty());
  EXPECT_FALSE(bare.flag("--quiet"));
  EXPECT_EQ(bare.text("-o"), "");
}

TEST(Parse, AnOptionBeforeThePositionalDoesNotSwallowIt) {
  EXPECT_EQ(arguments({"compare", "--set", "a=1", "x"}).text("EXPERIMENT"), "x");
}

TEST(Parse, AVerbMayHaveVerbsOfItsOwn) {
  const auto outcome = parsed({"trace", "import", "import"});
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(std::get<Invocation>(*outcome).words, "trace import");
  EXPECT_EQ(std::get<Invocation>(*outcome).arguments.text("FILE"), "import");
  EXPECT_NE(message({"trace", "inof", "f"}).find("unknown verb 'inof' (did you mean 'info'?)"), std::string::npos);
  EXPECT_NE(message({"trace"}).find("known: import, info"), std::string::npos);
}

TEST(Parse, APositionalMayBeNamedLikeAVerb) { EXPECT_EQ(arguments({"compare", "list"}).text("EXPERIMENT"), "list"); }

TEST(Parse, ManyAndOptionalPositionals) {
  EXPECT_EQ(arguments({"audit", "a", "b", "c"}).list("FILE"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(arguments({"list", "machines"}).text("NAME"), "");
  EXPECT_EQ(arguments({"list", "machines", "m"}).text("NAME"), "m");
  EXPECT_NE(message({"audit"}).find("FILE is missing"), std::string::npos);
}

TEST(Parse, WordsAfterTwoDashesAreNeverOptions) {
  EXPECT_EQ(arguments({"audit", "--", "ls", "-l", "--all"}).list("FILE"),
            (std::vector<std::string>{"ls", "-l", "--all"}));
}

TEST(Parse, UnknownWordsAreMatchedToWhatWasMeant) {
  EXPECT_NE(message({"comapre", "x"}).find("unknown verb 'comapre' (did you mean 'compare'?)"), std::string::npos);
  EXPECT_NE(message({"compare", "x", "--fromat", "json"}).find("unknown option --fromat (did you mean '--format'?)"),
            std::string::npos);
  EXPECT_NE(message({"compare", "x", "--fromat=json"}).find("unknown option --fromat (did you mean"),
            std::string::npos);
  EXPECT_NE(message({"compare", "x", "--format", "jsno"}).find("--format cannot be 'jsno' (did you mean 'json'?)"),
            std::string::npos);
  EXPECT_NE(message({"--verison"}).find("did you mean '--version'?"), std::string::npos);
}

TEST(Parse, WrongUsageSaysWhatIsWrong) {
  EXPECT_NE(message({}).find("a verb is missing"), std::string::npos);
  EXPECT_NE(message({"compare"}).find("EXPERIMENT is missing\nusage: tollgate compare"), std::string::npos);
  EXPECT_NE(message({"compare", "x", "y"}).find("unexpected argument 'y'"), std::string::npos);
  EXPECT_NE(message({"compare", "x", "--format"}).find("--format"), std::string::npos);
  EXPECT_NE(message({"compare", "x", "-o", "a", "-o", "b"}).find("-o is given twice"), std::string::npos);
}

TEST(Parse, NumbersStateTheirBounds) {
  EXPECT_EQ(arguments({"compare", "x", "--samples", "0"}).number("--samples", 1, 100).error().message,
            "--samples must be a whole number from 1 to 100, not '0'");
  for (const char* bad : {"", "-3", "1e3", "12x", "99999999999999999999"}) {
    EXPECT_FALSE(arguments({"compare", "x", "--samples", bad}).number("--samples")) << bad;
  }
}

TEST(Parse, HelpWinsOverMissingWordsAndShowsAnExample) {
  EXPECT_NE(shown({"compare", "--help"}).find("tollgate compare pti-global-lseek"), std::string::npos);
  EXPECT_NE(shown({"compare", "-h"}).find("how to print: text, markdown, json [text]"), std::string::npos);
  EXPECT_NE(shown({"trace", "import", "--help"}).find("usage: tollgate trace import FILE"), std::string::npos);
  EXPECT_NE(shown({"--help"}).find("compare"), std::string::npos);
  EXPECT_EQ(shown({"--version"}), "tollgate 1.2.3\n");
}

}  // namespace
}  // namespace tollgate::cli
