#!/usr/bin/env bats
# The verbs that ask questions, from outside: digests, forms, and what they do with bad input.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

# A question small enough to ask often.
short() {
  "$TOLLGATE" compare pti-global-lseek --samples 2 --set run.warm_us=10 --set run.measure_us=30 --set workload.cpus=2 "$@"
}

# A copy of a shipped file, changed by a sed script.
changed() { # KIND NAME SCRIPT
  mkdir -p "$BATS_TEST_TMPDIR/$1"
  sed "$3" "$TOLLGATE_ROOT/$1/$2.toml" >"$BATS_TEST_TMPDIR/$1/$2.toml"
  ! cmp -s "$TOLLGATE_ROOT/$1/$2.toml" "$BATS_TEST_TMPDIR/$1/$2.toml"
  file=$BATS_TEST_TMPDIR/$1/$2.toml
}

refused() { # PATTERN COMMAND...
  local pattern=$1
  shift
  run -2 "$@"
  grep -Eq -- "$pattern" <<<"$output" || {
    printf 'wanted: %s\ngot: %s\n' "$pattern" "$output"
    return 1
  }
}

@test "the digest does not depend on the number of host threads" {
  run -0 short --threads 1 --format json
  one=$(grep '"digest"' <<<"$output")
  run -0 short --threads 2 --format json
  [[ $(grep '"digest"' <<<"$output") == "$one" ]]
  run -0 short --seed 2 --format json
  [[ $(grep '"digest"' <<<"$output") != "$one" ]]
}

@test "an answer comes as text, Markdown and JSON, and goes to a file" {
  run -0 short
  [[ $output == *"variant | samples |"* && $output == *"digest "* ]]
  run -0 short --format markdown
  [[ $output == *"| variant | samples |"* ]]
  run -0 --separate-stderr short -o "$BATS_TEST_TMPDIR/answer.txt"
  [[ -z $output ]]
  grep -q "^digest " "$BATS_TEST_TMPDIR/answer.txt"
}

@test "numbers out of bounds and unknown names are refused" {
  refused "--samples" short --samples 0
  refused "--threads" short --threads 1000
  refused "--seed" short --seed minus
  refused "--until" short --until 0.2
  refused "did you mean 'pti-global-lseek'" "$TOLLGATE" compare pti-global-lsek
  refused "did you mean 'skylake-desktop'" short --machine skylake-desktp
  refused "did you mean 'lseek1'" short --workload lseek2
  refused "did you mean '--samples'" short --sample 3
}

@test "settings that no part knows are refused with their place" {
  refused "--set walk.setup=3: .*machine" short --set walk.setup=3
  refused "--set .*walk.stup" short --set machine.walk.stup=3
  refused "--set .*program.user_instruction" short --set workload.program.user_instruction=3
  refused "--set .*tick.hertz" short --set kernel.tick.hertz=100
  refused "--set policy.ptii=on: .*did you mean 'pti'" short --set policy.ptii=on
  refused "--set policy.pti=maybe: .*off, on" short --set policy.pti=maybe
  refused "--set run.measure=3" short --set run.measure=3
  refused "KEY=VALUE" short --set machine.walk.setup
}

@test "a machine that cannot be is refused at its line" {
  changed machines skylake-desktop '/"l1d-4k"/,/^$/s/^ways = 4/ways = 0/'
  refused "skylake-desktop.toml:[0-9]+:[0-9]+: .*ways" short --machine "$file"
  changed machines skylake-desktop '/"l1d-4k"/,/^$/s/^ways = 4/ways = 5/'
  refused "skylake-desktop.toml:[0-9]+:[0-9]+: " short --machine "$file"
  changed machines skylake-desktop 's/^setup = { low = 10/setup = { low = -10/'
  refused "skylake-desktop.toml:[0-9]+:[0-9]+: " short --machine "$file"
  changed machines skylake-desktop 's/^setup = { low = 10/setup = { low = 1000/'
  refused "skylake-desktop.toml:[0-9]+:[0-9]+: " short --machine "$file"
  changed machines skylake-desktop 's/^\[walk\]/[wlak]/'
  refused "skylake-desktop.toml:" short --machine "$file"
  changed machines skylake-desktop 's/^architecture = .*/architecture = "riscv64"/'
  refused "riscv64" short --machine "$file"
}

@test "an experiment that asks for what does not exist is refused at its line" {
  changed experiments pti-global-lseek 's/pti = "on", global_pages = "entry" }/pti = "on", global_pges = "entry" }/'
  refused "pti-global-lseek.toml:[0-9]+:[0-9]+: unknown policy 'global_pges' \(did you mean 'global_pages'" \
    "$TOLLGATE" compare "$file"
  changed experiments pti-global-lseek 's/^metric = .*/metric = "ops_per_sec"/'
  refused "pti-global-lseek.toml:[0-9]+:[0-9]+: unknown metric .*did you mean 'ops_per_s'" "$TOLLGATE" compare "$file"
  changed experiments pti-global-lseek 's/^workload = .*/workload = "lseek9"/'
  refused "did you mean 'lseek1'" "$TOLLGATE" compare "$file"
}

@test "files that are missing, empty, folders, compressed or foreign are refused" {
  local here=$BATS_TEST_TMPDIR
  : >"$here/empty.toml"
  printf '\x7fELF\x00\x01' >"$here/binary.toml"
  gzip -c "$TOLLGATE_ROOT/workloads/recordings/true.tgt" >"$here/true.tgt.gz"
  head -c 3000 "$TOLLGATE_ROOT/workloads/recordings/true.tgt" >"$here/cut.tgt"
  refused "none.toml" short --machine "$here/none.toml"
  refused "empty" short --machine "$here/empty.toml"
  refused "binary.toml" short --machine "$here/binary.toml"
  refused "folder|directory" short --workload "trace:$here"
  refused "gzip" short --workload "trace:$here/true.tgt.gz"
  refused "cut.tgt" short --workload "trace:$here/cut.tgt"
  refused "none.tgt" short --workload "trace:$here/none.tgt"
}

@test "a full disk is an error, and a reader that leaves is none" {
  refused "No space left|full" short -o /dev/full
  run -2 bash -c '"$TOLLGATE" compare pti-global-lseek --samples 2 --set run.measure_us=30 >/dev/full'
  run -0 bash -c 'set -o pipefail; "$TOLLGATE" list machines | head -1'
}

@test "Ctrl-C stops a run at once and leaves no half of an answer" {
  "$TOLLGATE" compare pti-global-lseek --samples 5000 -o "$BATS_TEST_TMPDIR/answer.txt" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
  sleep 1
  kill -INT $!
  status=0
  wait $! || status=$?
  [[ $status == 130 ]]
  grep -q interrupted "$BATS_TEST_TMPDIR/err"
  [[ ! -e $BATS_TEST_TMPDIR/answer.txt ]]
}

@test "explain names the figures the answer hangs on" {
  run -0 "$TOLLGATE" explain pti-off-on --samples 4 --set run.warm_us=10 --set run.measure_us=30 --set workload.cpus=1
  [[ $output == *"cr3.write"* && $output == *"misses by cause"* && $output == *"at low"* ]]
}

guests() {
  "$TOLLGATE" compare vmid-4bit --samples 2 --set run.warm_us=100 --set run.measure_us=2000 "$@"
}

@test "guests answer the same whatever the number of host threads" {
  digest() { guests "$@" | grep "^digest"; }
  [[ $(digest --threads 1) == $(digest --threads 2) ]]
}

@test "guests are refused where the machine, the kernel or the VMIDs do not suit them" {
  refused "15 VMIDs for 128 CPUs" "$TOLLGATE" compare vmid-16bit --set machine.features.vmid_bits=4
  refused "'skylake-desktop' is x86_64" guests --machine skylake-desktop
  refused "'d06' is aarch64" short --machine d06
  refused "'lseek1' is of kind 'syscall-loop'" guests --workload lseek1
  refused "must stay within 0 to 0.5" guests --set workload.program.loads_per_exit=0.7
}

@test "explain says what guests went through, and maps the answer over what nobody knows" {
  run -0 "$TOLLGATE" explain vmid-4bit --samples 2 --set run.warm_us=100 --set run.measure_us=500
  [[ $output == *"vmid_slow_paths"* && $output == *"workload.program.loads_per_exit"* ]]
}
