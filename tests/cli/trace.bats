#!/usr/bin/env bats
# tollgate trace, from outside: exit statuses, streams, pipes, interruption.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  printf 'I  00401000,3\n L 1fff000ffc,8\n M 00601000,4\n' >text
  recording=$TOLLGATE_ROOT/workloads/recordings/true.tgt
}

@test "a text becomes a trace that info reads" {
  run -0 --separate-stderr "$TOLLGATE" trace import text -o a.tgt
  [[ -z $output && $stderr == "a.tgt: references 5 (instructions 1, reads 3, writes 1), pages 4, "* ]]
  run -0 --separate-stderr "$TOLLGATE" trace info a.tgt
  [[ $output == *complete* && $output == *"references        | 5"* && -z $stderr ]]
}

@test "a pipe is imported, and a trace can go down one" {
  run -0 bash -c 'cat text | "$TOLLGATE" trace import - -o /dev/stdout 2>/dev/null >piped.tgt; "$TOLLGATE" trace info piped.tgt'
  "$TOLLGATE" trace import text -o direct.tgt
  cmp piped.tgt direct.tgt
}

@test "info writes JSON that says the same" {
  run -0 "$TOLLGATE" trace info --format json "$recording"
  [[ $output == *'"complete": true'* && $output == *'"instructions": 109215'* ]]
}

@test "info of a damaged trace prints what is good, says the damage on standard error, and exits with 2" {
  head -c 8000 "$recording" >cut.tgt
  run -2 --separate-stderr "$TOLLGATE" trace info cut.tgt
  [[ $output == *DAMAGED* && $stderr == "tollgate trace info: cut.tgt: the trace is damaged: its end is missing"* ]]
  run -2 --separate-stderr "$TOLLGATE" trace info --format json cut.tgt
  [[ $output == *'"complete": false'* ]]
}

@test "what is no lackey text is an error with a way out" {
  gzip -k text
  run -2 "$TOLLGATE" trace import text.gz -o a.tgt
  [[ $output == *"text.gz: is a gzip file"*"zcat text.gz | tollgate trace import - -o OUT"* ]]
  run -2 "$TOLLGATE" trace import "$recording" -o a.tgt
  [[ $output == *"is a Tollgate trace already"* ]]
  run -2 "$TOLLGATE" trace import text
  [[ $output == *"-o OUT"* ]]
  [[ ! -e a.tgt ]]
}

@test "a full disk leaves no trace and no doubt" {
  run -2 "$TOLLGATE" trace import text -o /dev/full
  [[ $output == *"No space left on device"* ]]
}

@test "Ctrl-C stops an import and leaves nothing behind" {
  mkfifo pipe
  "$TOLLGATE" trace import pipe -o a.tgt 3>&- &
  exec 8>pipe
  cat text >&8
  kill -INT $!
  local status=0
  wait $! || status=$?
  exec 8>&-
  ((status == 130))
  [[ $(echo *) == "pipe text" ]]
}
