#!/usr/bin/env bats
# The verb list from outside.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

@test "every file of a kind is one line with its title" {
  for kind in experiments machines workloads kernels; do
    run -0 --separate-stderr "$TOLLGATE" list "$kind"
    [[ -z $stderr ]]
    for file in "$TOLLGATE_ROOT/$kind"/*.toml; do
      name=$(basename "$file" .toml)
      grep -q "^$name  *| [^ ]" <<<"$output"
    done
  done
}

@test "every kind can be listed, as text, Markdown and JSON" {
  run -2 "$TOLLGATE" list nothing-like-it
  kinds=$(sed 's/.*(known: \(.*\))/\1/; s/,//g' <<<"$output")
  [[ $(wc -w <<<"$kinds") -ge 6 ]]
  for kind in $kinds; do
    run -0 "$TOLLGATE" list "$kind"
    [[ $output == name* ]]
    run -0 "$TOLLGATE" list "$kind" --format markdown
    [[ $output == "| name | title |"* ]]
    run -0 "$TOLLGATE" list "$kind" --format json
    [[ $output == '{'*"\"$kind\": ["*'}' ]]
  done
}

@test "an experiment shows its variants, its metrics and what was published about it" {
  run -0 "$TOLLGATE" list experiments pti-global-lseek
  grep -Eq '^entry-text .*machines without PCIDs' <<<"$output"
  grep -Eq '^ops_per_s .*1/s' <<<"$output"
  grep -Eq '^pti_lseek .*validate.*\+1\.72 %' <<<"$output"
}

@test "workloads are listed without reading their recordings" {
  mkdir -p "$BATS_TEST_TMPDIR/workloads/recordings"
  sed 's/compile.tgt/none.tgt/' "$TOLLGATE_ROOT/workloads/compile.toml" >"$BATS_TEST_TMPDIR/workloads/compile.toml"
  TOLLGATE_DATA=$BATS_TEST_TMPDIR run -2 "$TOLLGATE" list workloads
  [[ $output == *"compile.toml:"*"recordings/none.tgt' does not exist" ]]
  echo "no trace" >"$BATS_TEST_TMPDIR/workloads/recordings/none.tgt"
  TOLLGATE_DATA=$BATS_TEST_TMPDIR run -0 "$TOLLGATE" list workloads
  TOLLGATE_DATA=$BATS_TEST_TMPDIR run -2 "$TOLLGATE" list workloads compile
  [[ $output == *"none.tgt: "* ]]
}

@test "a setting changes a machine, a workload or a kernel, and nothing else" {
  run -0 "$TOLLGATE" list workloads compile --set program.jobs=3
  grep -Eq '^program\.jobs .* 3 .*--set' <<<"$output"
  run -2 "$TOLLGATE" list workloads --set program.jobs=3
  [[ $output == "tollgate list: --set changes one of the workloads: name it" ]]
  run -2 "$TOLLGATE" list policies pti --set pti=on
  [[ $output == *"of the policies it can change nothing" ]]
}

@test "a machine shows a figure with range, unit, kind and source" {
  run -0 "$TOLLGATE" list machines skylake-desktop
  grep -Eq '^cr3\.write .* 120 .* 191 .* 260 .*cycles.*recalled.*EuroSys 2022' <<<"$output"
}

@test "a machine file may be named by its path" {
  run -0 "$TOLLGATE" list machines "$TOLLGATE_ROOT/machines/milan-36.toml"
  [[ $output == *"milan-36: "* ]]
}

@test "slips are matched to what was meant" {
  run -2 "$TOLLGATE" list machnies
  [[ $output == "tollgate list: cannot list 'machnies' (did you mean 'machines'?)" ]]
  run -2 "$TOLLGATE" list machines skylake-destkop
  [[ $output == *"unknown machine 'skylake-destkop' (did you mean 'skylake-desktop'?)" ]]
}

@test "a broken machine file is an error with its place, and no table" {
  sed 's/^ways = 12/ways = 0/' "$TOLLGATE_ROOT/machines/skylake-desktop.toml" >"$BATS_TEST_TMPDIR/broken.toml"
  run -2 --separate-stderr "$TOLLGATE" list machines "$BATS_TEST_TMPDIR/broken.toml"
  [[ -z $output && $stderr == *"broken.toml:"*": 'tlb.l2.ways' is 0, it must be from 1 to 65536" ]]
}

@test "JSON is one document" {
  run -0 "$TOLLGATE" list machines --format json
  [[ $output == '{'*'"machines": ['*'}' ]]
}
