#!/usr/bin/env bats
# tollgate audit, from outside: exit statuses, streams, formats, mail in its encodings.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  corpus=$TOLLGATE_ROOT/tests/audit-corpus
  mail=$TOLLGATE_ROOT/tests/data/mail
}

@test "a clean table gets one line and exit status 0" {
  run -0 --separate-stderr "$TOLLGATE" audit "$mail/clean.txt"
  [[ ${#lines[@]} == 1 && $output == *"3 figures recomputed: the arithmetic holds" && -z $stderr ]]
}

@test "a wrong figure is shown with its line and what it should be, and the exit status is 1" {
  run -1 "$TOLLGATE" audit "$corpus/seeds/seed2-pti-global.txt"
  [[ $output == *"seed2-pti-global.txt:62: wrong (truncated): +1.71% is cut, not rounded"*"+1.72 %"* ]]
}

@test "the wrong figure is found in every encoding of mail, at the line of the file" {
  for name in plain quoted quoted-printable multipart; do
    run -1 "$TOLLGATE" audit "$mail/$name.eml"
    line=$(grep -n -- '-19.0%' "$mail/$name.eml" | cut -d: -f1)
    [[ $output == *"$name.eml:$line: wrong (unreachable): -19.0% cannot be"* || $name == quoted-printable ]]
    [[ $output == *"1 message, 3 figures recomputed, 1 wrong"* ]]
  done
  run -1 "$TOLLGATE" audit "$mail/base64.eml"
  [[ $output == *"-19.0% cannot be"* ]]
  run -1 "$TOLLGATE" audit "$mail/flowed.eml"
  [[ $output == *"-19.0% cannot be: from 310.0"* ]]
}

@test "an mbox is read message by message, from a pipe too" {
  run -1 bash -c '"$TOLLGATE" audit - <"$0"' "$mail/two.mbox"
  [[ $output == *"standard input:31: wrong (unreachable)"*"2 messages, 6 figures recomputed, 1 wrong"* ]]
}

@test "strict counts remarks, plain does not" {
  run -0 "$TOLLGATE" audit "$corpus/s37-fork-maple-transposed.txt"
  run -1 "$TOLLGATE" audit --strict "$corpus/s37-fork-maple-transposed.txt"
}

@test "exit-zero never says no, but bad input is bad input" {
  run -0 "$TOLLGATE" audit --exit-zero "$mail/plain.eml"
  [[ $output == *"1 wrong"* ]]
  run -2 "$TOLLGATE" audit --exit-zero no-such-file
}

@test "a message that is cut short is read as far as it goes, with a warning" {
  head -c -10 "$mail/base64.eml" >short.eml
  run --separate-stderr "$TOLLGATE" audit short.eml
  ((status < 2))
  [[ $stderr == *"short.eml: the message is cut short"* ]]
}

@test "JSON, Markdown and SARIF say the same" {
  run -1 "$TOLLGATE" audit --format json "$mail/plain.eml"
  [[ $output == *'"schema": "tollgate.audit/1"'*'"verdict": "wrong'*'"wrong": 1'* ]]
  run -1 "$TOLLGATE" audit --format sarif "$mail/plain.eml"
  [[ $output == *'"version": "2.1.0"'*'"ruleId": "unreachable"'*'"level": "error"'* ]]
  run -1 "$TOLLGATE" audit --format markdown -o report.md "$mail/plain.eml"
  [[ -z $output && $(<report.md) == *"wrong: unreachable"* ]]
}

@test "what cannot be read is bad input" {
  run -2 "$TOLLGATE" audit no-such-file
  [[ $output == *"no-such-file: cannot read: No such file"* ]]
  run -2 "$TOLLGATE" audit .
  run -2 "$TOLLGATE" audit "$TOLLGATE"
  [[ $output == *"is binary"* ]]
  : >empty
  run -2 "$TOLLGATE" audit empty
  [[ $output == *"empty: is empty"* ]]
}

@test "a file that cannot be read does not hide what the others say" {
  head -c 4000 "$TOLLGATE_ROOT/src/audit/audit.cc" | tr '\n' '\0' >data.bin
  run -2 --separate-stderr "$TOLLGATE" audit "$mail/clean.txt" no-such-file data.bin "$mail/plain.eml"
  [[ $output == *"clean.txt: 3 figures recomputed"*"plain.eml"*"1 wrong"* ]]
  [[ $stderr == *"no-such-file: cannot read"*"data.bin"*"is binary"* ]]
  run -2 --separate-stderr "$TOLLGATE" audit --exit-zero --format json "$mail/clean.txt" no-such-file
  [[ $output == *'"figures": 3'* ]]
}

@test "what this program prints holds" {
  "$TOLLGATE" explain pti-global-lseek --samples 4 >explained.txt
  "$TOLLGATE" compare pti-global-lseek --samples 4 >compared.txt
  run -0 "$TOLLGATE" audit explained.txt compared.txt
  [[ $output != *" wrong"* && $output != *" doubtful"* ]]
}
