#!/usr/bin/env bats
# The program from outside: what goes to which stream, and the exit status.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

@test "the help goes to standard output" {
  run -0 --separate-stderr "$TOLLGATE" --help
  [[ $output == "usage: tollgate "* && -z $stderr ]]
}

@test "the version is that of the project" {
  run -0 "$TOLLGATE" --version
  grep -q "project(tollgate VERSION ${output#tollgate } " "$TOLLGATE_ROOT/CMakeLists.txt"
}

@test "no verb, an unknown verb and an unknown option are bad usage, said on standard error" {
  for words in "" "no-such-verb" "--no-such-option"; do
    # shellcheck disable=SC2086
    run -2 --separate-stderr "$TOLLGATE" $words
    [[ -z $output && $stderr == "tollgate: "*"see: tollgate --help" ]]
  done
}

@test "a mistyped option is matched to the one meant" {
  run -2 "$TOLLGATE" --verison
  [[ $output == *"unknown option --verison (did you mean '--version'?)"* ]]
}

@test "every verb has a summary, a help text with an example, and is bad usage with an unknown option" {
  for verb in $("$TOLLGATE" --help | awk '/^verbs:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ {print $1}'); do
    run -0 "$TOLLGATE" "$verb" --help
    [[ $output == "usage: tollgate $verb"* ]]
    run -2 "$TOLLGATE" "$verb" --no-such-option
  done
}

@test "a full disk is an error, not a result" {
  run -2 bash -c '"$TOLLGATE" --help >/dev/full'
  [[ $output == *"cannot write to standard output: No space left on device"* ]]
}

@test "a closed pipe is no error message" {
  run bash -c '"$TOLLGATE" --help | true'
  [[ -z $output ]]
}

@test "closed streams abort nothing" {
  run -0 bash -c '"$TOLLGATE" list machines 2>&- >/dev/null'
  run -2 bash -c '"$TOLLGATE" import nosuch 2>&-'
  run -2 bash -c '"$TOLLGATE" --help >&- 2>&-'
  run -2 bash -c '"$TOLLGATE" --help >&-'
  [[ $output == *"cannot write to standard output: Bad file descriptor"* ]]
}
