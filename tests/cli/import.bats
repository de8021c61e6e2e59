#!/usr/bin/env bats
# tollgate import, compare --from and table, from outside: formats by content, pipes, exit statuses, a table that the audit
# passes.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  data=$TOLLGATE_ROOT/tests/data/import
}

@test "a file is told by its content, whatever its name and from a pipe too" {
  cp "$data/hyperfine.json" results.csv
  run -0 --separate-stderr "$TOLLGATE" import results.csv
  [[ $output == *"hyperfine JSON; order of runs: in sequence"* && -z $stderr ]]
  run -0 bash -c '"$TOLLGATE" import - <"$0"' "$data/perf-stat-repeat.txt"
  [[ $output == *"standard input"*"elapsed_s "*"5, summary only | "*"0.07017 | "*"se 0.00208"* ]]
}

@test "several files at once, as JSON, into a file" {
  run -0 "$TOLLGATE" import --format json -o found.json "$data/fio.json" "$data/time-v.txt"
  [[ -z $output && $(<found.json) == *'"schema": "tollgate.import/1"'*'"format": "fio JSON"'*'"format": "GNU time -v"'* ]]
}

@test "what import does not know is bad input, with what it tried" {
  echo hello >foreign
  run -2 "$TOLLGATE" import foreign
  [[ $output == *"foreign: holds no results that import knows; tried: hyperfine JSON"* ]]
  run -2 "$TOLLGATE" import "$TOLLGATE"
  [[ $output == *"is binary"* ]]
  head -c 900 "$data/hyperfine.json" >cut.json
  run -2 "$TOLLGATE" import cut.json
  [[ $output == *"cut.json:44: the JSON is truncated"* ]]
  run -2 "$TOLLGATE" import no-such-file
  [[ $output == *"no-such-file: cannot read: No such file"* ]]
}

@test "compare --from gives the table and the verdict of real runs" {
  run -0 "$TOLLGATE" compare --from "$data/hyperfine.json" --metric elapsed_s
  [[ $output == *"gzip -6 -k -c data |      12 | 0.193788"*"+161.80 %"*"changed (worse)"* ]]
  [[ $output == *"all runs of one variant were made before the next"* ]]
  run -0 "$TOLLGATE" compare --from "$data/hyperfine.json" --metric elapsed_s --baseline 'gzip -6 -k -c data' --format json
  [[ $output == *'"baseline": "gzip -6 -k -c data"'* ]]
}

@test "files become variants by name, or by their own name" {
  run -0 "$TOLLGATE" compare --from off="$data/time-bash.txt" --from on="$data/time-p.txt" --metric elapsed_s --margin 5%
  [[ $output == *"margin +-5 %"*"off "*"on "* ]]
  run -0 "$TOLLGATE" compare --from "$data/perf-stat-once.txt" --from "$data/perf-stat-table.txt" --metric elapsed_s
  [[ $output == *"perf-stat-once "*"perf-stat-table "* ]]
}

@test "slips are named" {
  run -2 "$TOLLGATE" compare
  [[ $output == *"name an EXPERIMENT"*"--from"* ]]
  run -2 "$TOLLGATE" compare pti-global-lseek --from "$data/fio.json"
  [[ $output == *"not both"* ]]
  run -2 "$TOLLGATE" compare --from "$data/fio.json" --samples 3
  [[ $output == *"--samples means nothing"* ]]
  run -2 "$TOLLGATE" compare pti-global-lseek --margin 1%
  [[ $output == *"--margin is for results --from files"* ]]
  run -2 "$TOLLGATE" compare --from "$data/hyperfine.json" --metric elapse_s
  [[ $output == *"did you mean 'elapsed_s'"* ]]
  run -2 "$TOLLGATE" compare --from "$data/hyperfine.json" --margin big
  [[ $output == *"--margin wants a percentage"* ]]
  run -2 "$TOLLGATE" compare --from "$data/hackbench.txt"
  [[ $output == *"two variants"* ]]
  run -2 "$TOLLGATE" table
  [[ $output == *"--from"* ]]
}

@test "a table in every style passes the audit" {
  for style in box perf-stat before-after markdown; do
    run -0 "$TOLLGATE" table --from "$data/hyperfine.json" --style "$style" -o "$style.txt"
    run -0 "$TOLLGATE" audit --strict "$style.txt"
    [[ $output == *"figures recomputed: the arithmetic holds" ]]
  done
  [[ $(<box.txt) == *"+---"*"| gzip -6 -k -c data | 12 "*"| +161.80%   |"* ]]
  [[ $(<perf-stat.txt) == *"( +-  1.32% )"*"(+161.80%)"* ]]
  [[ $(<before-after.txt) == *"change"*"+161.80%"* ]]
  [[ $(<markdown.txt) == *"| delta mean |"* ]]
}

@test "the table that the README shows is what the program writes" {
  cd "$TOLLGATE_ROOT" || return
  run -0 "$TOLLGATE" table --from tests/data/import/hyperfine.json --metric elapsed_s
  [[ $(<README.md) == *"$ tollgate table --from tests/data/import/hyperfine.json --metric elapsed_s
$output
\`\`\`"* ]]
}
