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

@test "a packed text is unpacked, whatever its name" {
  gzip -c text >packed.txt
  "$TOLLGATE" trace import packed.txt -o packed.tgt
  "$TOLLGATE" trace import text -o plain.tgt
  cmp packed.tgt plain.tgt
}

@test "what is no recording is an error with a way out" {
  echo "once upon a time" >tale
  run -2 "$TOLLGATE" trace import tale -o a.tgt
  [[ $output == *"tale: is text of a kind we do not know, neither the text of valgrind"*"drmemtrace"* ]]
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

@test "simulate counts the same from a trace, a text, a pipe and an export" {
  "$TOLLGATE" trace import text -o a.tgt
  "$TOLLGATE" trace export a.tgt -o a.drmemtrace
  gzip -k a.drmemtrace
  local options=(--l1d 4x2 --l1i 4x2 --l2 8x2 --format json)
  "$TOLLGATE" trace simulate a.tgt "${options[@]}" | grep -v -e path -e origin >expected
  for file in text a.drmemtrace a.drmemtrace.gz; do
    "$TOLLGATE" trace simulate "$file" "${options[@]}" | grep -v -e path -e origin | diff expected -
    "$TOLLGATE" trace simulate - "${options[@]}" <"$file" | grep -v -e path -e origin | diff expected -
  done
}

@test "no verb replaces the file it reads" {
  "$TOLLGATE" trace import text -o a.tgt
  cp a.tgt kept.tgt
  run -2 "$TOLLGATE" trace export a.tgt -o a.tgt
  [[ $output == *"the output is the input"* ]]
  run -2 "$TOLLGATE" trace simulate a.tgt -o ./a.tgt
  [[ $output == *"the output is the input"* ]]
  cmp a.tgt kept.tgt
}

@test "simulate takes several geometries and machines, and sweeps" {
  run -0 "$TOLLGATE" trace simulate "$recording" --l1d 64x4 --l1i 64x4 --l2 512x4,1024x8 --no-causes
  [[ $output == *"l2 512x4"* && $output == *"l2 1024x8"* ]]
  run -0 "$TOLLGATE" trace simulate "$recording" --machine skylake-desktop,zen4-server --format markdown
  [[ $output == *"## skylake-desktop"* && $output == *"## zen4-server"* ]]
  run -0 "$TOLLGATE" trace simulate "$recording" --sweep l1d=16..64,l2=1536..1536
  [[ $output == *"exact for every size, from one pass"* ]]
  run -0 "$TOLLGATE" trace simulate "$recording" --policy fifo --sweep l1d=16..64
  [[ $output == *"plain simulation of each size"* ]]
  run -0 "$TOLLGATE" trace simulate "$recording" --page dense:16
  [[ $output == *"2M pages where at least 16 of 512"* ]]
}

@test "simulate refuses what it cannot mean" {
  refused() {
    run -2 "$TOLLGATE" trace simulate "$recording" "${@:2}"
    [[ $output == *"$1"* ]]
  }
  refused "'64' is no geometry: write ENTRIESxWAYS" --l1d 64
  refused "5 ways do not divide 64 entries (did you mean 65x5?)" --l1d 64x5
  refused "needs a power of two of ways" --l1d 96x6 --policy plru
  refused "exclude each other" --machine zen4-server --l1d 64x4
  refused "did you mean" --machine zen4-serve
  refused "is no range of entries" --sweep l1d=16
  refused "the levels are l1d, l1i and l2" --sweep l3=16..32
  refused "no size of 16 sets" --sweep l1d=1..15
  refused "there is no such mapping" --page 3K
  refused "write three numbers" --walk-caches 32
  run -2 "$TOLLGATE" trace simulate - --page dense <text
  [[ $output == *"standard input can be read once"* ]]
}

@test "info shows the footprint and the working set" {
  run -0 "$TOLLGATE" trace info --format markdown "$recording"
  [[ $output == *"| distinct pages |"* && $output == *"| last references of a stream |"* ]]
}
