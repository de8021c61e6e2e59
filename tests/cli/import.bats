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

@test "imported results are kept where measure keeps its sessions, and compared, shown, listed and exported from there" {
  run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 6 --store kept.db
  run -0 --separate-stderr "$TOLLGATE" import --session gzip --store kept.db "$data/hyperfine.json"
  [[ $stderr == "tollgate import: $data/hyperfine.json is kept as session 'gzip' in kept.db" ]]
  "$TOLLGATE" compare --from "$data/hyperfine.json" --metric elapsed_s | tail -n +2 >file.txt
  "$TOLLGATE" compare --from gzip --metric elapsed_s --store kept.db | tail -n +2 >kept.txt
  diff <(sed "s|$data/hyperfine.json|gzip|g" file.txt) <(sed "s|$data/hyperfine.json|gzip|g" kept.txt)
  run -0 "$TOLLGATE" table --from session:gzip --store kept.db --style markdown
  [[ $output == *"| delta mean |"* ]]
  run -0 "$TOLLGATE" table --from 1 --store kept.db
  run -0 "$TOLLGATE" compare --from "a / b" --store kept.db
  run -0 "$TOLLGATE" measure --list --store kept.db
  [[ $output == *"1 | a / b | "*"- | gzip  | "*" |        2 |   24 | imported" ]]
  run -0 "$TOLLGATE" measure --list --format json --store kept.db
  [[ $output == *'"imported": ['*'"name": "gzip"'*'"format": "hyperfine JSON"'*'"runs": 24'* ]]
  run -0 "$TOLLGATE" measure --show gzip --store kept.db
  [[ $output == *"changed (worse)"* ]]
  run -0 "$TOLLGATE" measure --export csv gzip --store kept.db
  [[ $output == *"imported,gzip -1 -k -c data,0,0,"*",elapsed_s,s,"* ]]
  "$TOLLGATE" import --format json "$data/hyperfine.json" >file.json
  "$TOLLGATE" measure --export json gzip --store kept.db | diff file.json -
  run -2 "$TOLLGATE" measure --resume gzip --store kept.db
  [[ $output == *"'gzip' was imported: there is nothing to resume"* ]]
}

@test "the same results are kept once; another session of a name only in place of it" {
  export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
  cp "$data/time-p.txt" runs.txt
  run -0 "$TOLLGATE" import --keep runs.txt
  run -2 "$TOLLGATE" import --keep runs.txt
  [[ $output == *"runs.txt: these results are kept already, as session 'runs'; --replace replaces"* ]]
  run -2 "$TOLLGATE" import --session again runs.txt
  [[ $output == *"kept already, as session 'runs'"* ]]
  cp "$data/time-bash.txt" runs.txt
  run -2 "$TOLLGATE" import --keep runs.txt
  [[ $output == *"session 'runs' is kept already, of other results (runs.txt)"* ]]
  run -0 "$TOLLGATE" import --keep --replace runs.txt
  run -2 "$TOLLGATE" compare --from run
  [[ $output == *"run: there is no such file, and no such session is kept: "*"did you mean 'runs'?"* ]]
  run -0 "$TOLLGATE" import --session both "$data/fio.json" "$data/fio-two-jobs.json"
  run -0 "$TOLLGATE" measure --list
  [[ $output == *"- | both | "*" |        2 |    2 | imported"* ]]
}

@test "a session needs a name that is no number" {
  run -2 "$TOLLGATE" import --session 12 --store kept.db "$data/fio.json"
  [[ $output == *"'12' can be no session's name"* && ! -e kept.db ]]
  run -2 bash -c '"$TOLLGATE" import --keep - <"$0"' "$data/fio.json"
  [[ $output == *"name what comes from standard input with --session"* ]]
  run -2 "$TOLLGATE" import --replace "$data/fio.json"
  [[ $output == *"--replace means nothing"* ]]
}

@test "a file of two formats is taken as the one that is named" {
  { cat "$data/hackbench.txt" "$data/perf-stat-repeat.txt"; } >both.txt
  run -2 "$TOLLGATE" import both.txt
  [[ $output == *"both.txt: is ambiguous: it could be perf stat, hackbench; choose one with --as FORMAT" ]]
  run -0 "$TOLLGATE" import --as hackbench both.txt
  [[ $output == *"hackbench; order of runs: unknown"* ]]
  run -0 "$TOLLGATE" compare --as 'perf stat' --from a=both.txt --from b="$data/perf-stat-repeat.txt" --metric elapsed_s
  [[ $output == *"0.070170"* ]]
  run -2 "$TOLLGATE" import --as hackbensh both.txt
  [[ $output == *"did you mean 'hackbench'"* ]]
  run -2 "$TOLLGATE" compare --from a="$data/fio.json" --from b="$data/hackbench.txt"
  [[ $output == *"no metric in common"*"'a' has read.iops"*"'b' has elapsed_s"* ]]
}

@test "where only imported sessions are kept, a slip is answered with their names" {
  run -0 "$TOLLGATE" import --session gzip --store kept.db "$data/hyperfine.json"
  run -2 "$TOLLGATE" measure --show --store kept.db
  [[ $output == *"kept.db: no session of measure is kept there; imported ones: gzip" ]]
  run -2 "$TOLLGATE" compare --from nothing --store kept.db
  [[ $output == *"there is no session 'nothing' (known: gzip)" ]]
  run -2 "$TOLLGATE" import --session $'a\nb' --store kept.db "$data/fio.json"
  [[ $output == *"can be no session's name"* ]]
}

@test "the same results do not count twice, and no output replaces an input" {
  cp "$data/hyperfine.json" h.json
  ln -s h.json link.json
  for verb in "compare --metric elapsed_s" table; do
    # shellcheck disable=SC2086
    run -2 "$TOLLGATE" $verb --from a=h.json --from a=h.json
    [[ $output == *"h.json: is given twice: the same runs count once" ]]
    # shellcheck disable=SC2086
    run -2 "$TOLLGATE" $verb --from a=h.json --from b=link.json
    [[ $output == *"link.json: holds the same as h.json: the same runs count once" ]]
  done
  run -2 "$TOLLGATE" import h.json link.json
  [[ $output == *"link.json: holds the same as h.json"* ]]
  for verb in "import h.json" "compare --from h.json --metric elapsed_s" "table --from h.json" "audit h.json"; do
    # shellcheck disable=SC2086
    run -2 "$TOLLGATE" $verb -o link.json
    [[ $output == *"link.json: the output is an input; name another file" ]]
  done
  run -2 bash -c '"$TOLLGATE" import - -o h.json <h.json'
  diff h.json "$data/hyperfine.json"
  run -0 "$TOLLGATE" import --session r --store kept.db h.json
  run -2 "$TOLLGATE" compare --from r --store kept.db -o kept.db
  run -2 "$TOLLGATE" compare --from r --from h.json --store kept.db
  [[ $output == *"h.json: holds the same as r: "* ]]
}

@test "what never ends is refused" {
  run -2 "$TOLLGATE" import /dev/zero
  [[ $output == *"/dev/zero: goes on after 1G: no result file is that large" ]]
}

@test "a session without runs of a variant is named, with the way to make them" {
  run "$TOLLGATE" measure --variant old=true --variant new=false --runs 3 --order abba --store kept.db
  run -2 "$TOLLGATE" compare --from 1 --store kept.db
  [[ $output == *"session 1 ('old / new') has no runs"*" yet; go on with: tollgate measure --resume 1 --store kept.db" ]]
}

@test "with the number of runs, means and spreads can be compared" {
  run -0 "$TOLLGATE" compare --from "$data/hyperfine.csv" --metric elapsed_s
  [[ $output == *"without"*"number of runs"* ]]
  run -0 "$TOLLGATE" compare --from "$data/hyperfine.csv" --metric elapsed_s --runs 12
  [[ $output == *"changed (worse)"*"12 runs: that is not in the file, --runs says it"* ]]
  run -2 "$TOLLGATE" table --from "$data/hyperfine.json" --runs 11
  [[ $output == *"hyperfine.json: holds 12 runs of elapsed_s of 'gzip -1 -k -c data', not 11" ]]
  run -2 "$TOLLGATE" compare pti-global-lseek --runs 3
  [[ $output == *"--runs is for results --from files"* ]]
}
