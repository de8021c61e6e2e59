#!/usr/bin/env bats
# The verb list from outside.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

@test "every machine is one line with its title" {
  run -0 --separate-stderr "$TOLLGATE" list machines
  [[ -z $stderr ]]
  for file in "$TOLLGATE_ROOT"/machines/*.toml; do
    name=$(basename "$file" .toml)
    grep -q "^$name  *[^ ]" <<<"$output"
  done
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
