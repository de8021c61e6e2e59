#!/usr/bin/env bats
# tollgate measure, from outside: the store, interruptions and kills, exit statuses, streams, boots.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
  store=$XDG_DATA_HOME/tollgate/measurements.db
}

# count KIND: kept runs of that kind.
count() { "$TOLLGATE" measure --export csv | grep -c "^$1,"; }

@test "two commands are measured, kept under the user's data folder, and answered" {
  run -0 --separate-stderr "$TOLLGATE" measure --variant off='sleep 0.001' --variant on='sleep 0.2' --runs 6
  [[ $output == *"off / on"*"elapsed_s (s, lower is better)"*"on, elapsed_s: changed (worse)"* ]]
  [[ $stderr == "tollgate measure: session 1: 'off / on', 12 runs, seed "* ]]
  [[ -f $store && $(count measured) == 12 ]]
  run -0 "$TOLLGATE" measure --list
  [[ ${lines[1]} == *"1 | off / on | "*" |        2 |   12 |      12" ]]
  run -0 "$TOLLGATE" measure --list --format json
  [[ $output == *'"schema": "tollgate.sessions/1"'*'"name": "off / on"'*'"made": 12,'*'"planned": 12'* ]]
  run -0 "$TOLLGATE" measure --show
  [[ $output == *"changed (worse)"* ]]
  run -0 "$TOLLGATE" measure --show --format json "off / on"
  [[ $output == *'"schema": "tollgate.comparison/'*'"verdict": "changed"'* ]]
  run -0 "$TOLLGATE" table --from 1 --style perf-stat
  [[ $output == *"runs were paired: the +- is each variant's own"* ]]
}

@test "the same seed gives the same order, and the order is kept" {
  for file in a.db b.db; do
    run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 12 --seed 5 --store $file
    "$TOLLGATE" measure --export csv --store $file | cut -d, -f1-5 >$file.order
  done
  cmp a.db.order b.db.order
  run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 12 --seed 6 --store c.db
  "$TOLLGATE" measure --export csv --store c.db | cut -d, -f1-5 >c.db.order
  run -1 cmp a.db.order c.db.order
}

@test "kill -9 loses at most the run in progress, and --resume makes the result whole" {
  "$TOLLGATE" measure --variant a='sleep 0.05' --variant b='sleep 0.05; echo b >>said' --runs 15 3>&- &
  for _ in {1..600}; do
    if [[ -e said && $(wc -l <said) -ge 3 ]]; then break; fi
    sleep 0.05
  done
  kill -9 $!
  wait $! || true
  kept=$(count measured)
  ((kept >= 2 && kept < 30))
  said=$(wc -l <said)
  kept_b=$("$TOLLGATE" measure --export csv | grep -c '^measured,b,')
  ((said - kept_b <= 1))
  run -0 "$TOLLGATE" measure --show
  [[ $output == *"$kept of 30 planned runs were made"* ]]
  run -0 "$TOLLGATE" measure --resume
  [[ $output != *"planned runs were made"* && $(count measured) == 30 ]]
  [[ $("$TOLLGATE" measure --export csv | tail -n +2 | cut -d, -f2,3 | sort -u | wc -l) == 30 ]]
  run -0 "$TOLLGATE" measure --resume
  [[ $(count measured) == 30 ]]
}

# started: waits until a command has written the file pid.
started() {
  for _ in {1..100}; do
    if [[ -s pid ]]; then return; fi
    sleep 0.1
  done
  return 1
}

# gone: whether the process in the file pid is no more, or ends within five seconds.
gone() {
  for _ in {1..50}; do
    if ! grep -q sleep "/proc/$(<pid)/cmdline" 2>/dev/null; then return; fi
    sleep 0.1
  done
  return 1
}

@test "a killed measurement leaves no command behind" {
  "$TOLLGATE" measure --variant a='echo $$ >pid; exec sleep 77' --variant b='echo $$ >pid; exec sleep 77' --runs 2 3>&- &
  started
  kill -9 $!
  wait $! || true
  gone
}

@test "a killed measurement leaves no command of a shell or a pipeline behind" {
  for command in 'sleep 78 & echo $! >pid; wait; true' 'sh -c "echo \$\$ >pid; exec sleep 78" | cat'; do
    rm -f pid
    "$TOLLGATE" measure --variant a="$command" --variant b="$command" --runs 2 3>&- &
    started
    kill -9 $!
    wait $! || true
    gone
  done
}

@test "what left the group of its command ends with the run, with the measurement, and with a kill" {
  daemon='rm -f pid; setsid sh -c "echo \$\$ >new; mv new pid; exec sleep 76" & until test -s pid; do sleep 0.01; done'
  run -0 "$TOLLGATE" measure --variant a="$daemon" --variant b="$daemon" --runs 2
  [[ $output == *"the command left processes behind, which were ended and are not counted (4 runs)"* ]]
  gone
  for signal in KILL TERM; do
    rm -f pid
    "$TOLLGATE" measure --variant a="$daemon; sleep 75" --variant b="$daemon; sleep 75" --runs 2 3>&- &
    started
    kill -$signal $!
    wait $! || true
    gone
  done
}

@test "a job of the shell that became this program lives on" {
  run -0 sh -c 'sleep 73 >/dev/null 2>&1 3>&- & echo $! >pid; exec "$TOLLGATE" measure --variant a="sleep 72 & true" --variant b=true --runs 2'
  [[ $output == *"the command left processes behind"* ]]
  grep sleep "/proc/$(<pid)/cmdline"
  kill "$(<pid)"
}

@test "what --prepare starts lives on" {
  run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 2 \
    --prepare 'test -s pid || { sleep 74 & echo $! >pid; }'
  grep sleep "/proc/$(<pid)/cmdline"
  kill "$(<pid)"
}

@test "nothing is left of a measurement that is over, and its output closes" {
  run -0 timeout 20 sh -c '"$TOLLGATE" measure --variant a=true --variant b=true --runs 3 --store nothing-left.db | cat'
  [[ $output == *"elapsed_s (s, lower is better)"* ]]
  run -1 pgrep -f 'measure .* --store nothing-left[.]db'
}

@test "a session is measured by one process at a time" {
  "$TOLLGATE" measure --variant a='echo $$ >pid; exec sleep 79' --variant b='echo $$ >pid; exec sleep 79' --runs 2 3>&- &
  first=$!
  started
  run -2 "$TOLLGATE" measure --resume
  [[ $output == "tollgate measure: session 1 is being measured by process $first" ]]
  kill -9 $first
  wait $first || true
  gone
  run -2 timeout 60 "$TOLLGATE" measure --variant a=true --variant b=false --runs 2 --order sequence
  run -2 "$TOLLGATE" measure --resume
  [[ $output == *"variant 'b', run 0: failed"* && $output != *"is being measured"* ]]
}

@test "an interrupt ends the command and says how to go on" {
  for signal in TERM HUP; do
    rm -f pid
    "$TOLLGATE" measure --variant a='echo $$ >pid; exec sleep 66' --variant b='echo $$ >pid; exec sleep 66' --runs 2 \
      --store $signal.db 2>said 3>&- &
    started
    kill -$signal $!
    status=0
    wait $! || status=$?
    [[ $status == 130 ]]
    grep "session 1 is kept as far as it came; go on with: tollgate measure --resume 1 --store $signal.db" said
    gone
  done
}

@test "a failing command is an error that shows what it said; --ignore-failure counts it" {
  run -2 "$TOLLGATE" measure --variant a=true --variant b='echo broken >&2; exit 4' --order sequence
  [[ $output == *"variant 'b', run 0: failed with exit status 4: echo broken >&2; exit 4"*"  broken"* ]]
  [[ $output == *"go on with: tollgate measure --resume 1"* ]]
  run -0 "$TOLLGATE" measure --variant a=true --variant b='exit 4' --runs 3 --ignore-failure
  [[ $output == *"3 of 3 runs of 'b' failed (exit status 4) and are counted"* ]]
}

@test "a variant that gives no value of a metric is named, and the answer stands without it" {
  run -0 "$TOLLGATE" measure --variant a='echo 5' --variant b='exit 3' --runs 6 --ignore-failure --metric 'regex:t=(.*)'
  [[ $output == *"none of 6 runs of 'b' gave a value of t: it is not compared"* ]]
  for format in text markdown json; do run -0 "$TOLLGATE" measure --show --format $format; done
}

@test "metrics are read from the output, from perf and from wait4" {
  run -0 "$TOLLGATE" measure --variant a='echo {\"x\": 5}' --variant b='echo {\"x\": 7}' --runs 3 \
    --metric 'json:x[op/s]=/x' --metric user --metric sys --metric rss --primary x --better x=higher
  [[ $output == *"x (op/s, higher is better)"*"max_rss_bytes (B, lower is better)"* ]]
  [[ $(grep -c '^variant | samples | .* | .*min | .*max | ' <<<"$output") == 4 ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --metric perf:page-fualts
  [[ $output == *"did you mean 'page-faults'?"* ]]
  run -2 "$TOLLGATE" measure --variant a='echo 1' --variant b='echo 2' --metric 'regex:n=([a-z])'
  [[ $output == *"metric n: the output does not match"* ]]
}

@test "values below zero get no percentage and no direction" {
  run -0 "$TOLLGATE" measure --variant a='echo v -1' --variant b='echo v 2' --metric 'regex:v=v (.+)' \
    --better v=higher --runs 6
  [[ $output == *"inconclusive"*"a value is below zero: no percentage"* ]]
  [[ $output != *"-300"* && $output != *"changed"* ]]
}

@test "bad usage is refused before anything is kept" {
  run -2 "$TOLLGATE" measure
  [[ $output == *"say what to do with one of --variant"* ]]
  run -2 "$TOLLGATE" measure --variant a=true
  [[ $output == *"at least two variants"* ]]
  run -2 "$TOLLGATE" measure --variant true --variant b=true
  [[ $output == *"--variant wants NAME=COMMAND, not 'true'"* ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant $'b\nc=true'
  [[ $output == *"variant 2 has a control character in its name"* ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --runs 0
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --margin -1
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --margin 150
  [[ $output == "tollgate measure: the margin is 150 %; it must lie between 0 and 100" ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --order rnadom
  [[ $output == *"did you mean 'random'?"* ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --resume
  [[ $output == *"--variant and --resume cannot be asked for together"* ]]
  run -2 "$TOLLGATE" measure --resume --runs 5
  [[ $output == *"--runs is fixed when a session begins: leave it out, or begin another with --variant" ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --metric ftrace:no_such_function_anywhere
  [[ ! -e $store ]]
  run -2 "$TOLLGATE" measure --list
  [[ $output == *"no measurements are kept there"* ]]
  echo 'not a database, but a text of more than some bytes' >text
  run -2 "$TOLLGATE" measure --list --store text
  [[ $output == *"text: file is not a database"* ]]
}

@test "a session without runs says so, and one that was resumed tells of its pause" {
  "$TOLLGATE" measure --variant a=true --variant b='exit 3' --runs 3 --order sequence --store half.db || true
  run -2 "$TOLLGATE" measure --show --store half.db
  [[ $output == "tollgate measure: session 1 ('a / b') has no runs of 'b' yet; go on with: tollgate measure --resume 1 --store half.db" ]]
  "$TOLLGATE" measure --variant a='echo $$ >pid; exec sleep 73' --variant b='echo $$ >pid; exec sleep 73' \
    --store none.db 3>&- &
  started
  kill $!
  wait $! || true
  run -2 "$TOLLGATE" measure --show --store none.db
  [[ $output == "tollgate measure: session 1 ('a / b') has no runs yet; go on with: tollgate measure --resume 1 --store none.db" ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b='test -e on || test $TOLLGATE_RUN = 0' --runs 3 --store two.db
  touch on
  run -0 "$TOLLGATE" measure --resume --store two.db
  [[ $output == *"made in 2 goes, with a pause of "* && $output != *"go changes"* ]]
}

@test "a start that fails before its first run leaves no session" {
  run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 3
  run -2 "$TOLLGATE" measure --variant a=no-such-command --variant b=no-such-command
  [[ $output == *"no run was made: session 2 is not kept" && $output != *"--resume"* ]]
  run -2 "$TOLLGATE" measure --variant a=true --variant b=true --prepare false
  run -0 "$TOLLGATE" measure --show
  [[ $output == "a / b"* ]]
  run -0 "$TOLLGATE" measure --list
  [[ ${#lines[@]} == 2 ]]
}

@test "--delete takes one session out and leaves the others" {
  for _ in 1 2 3; do "$TOLLGATE" measure --variant a=true --variant b=true --runs 3 --warmup 1; done
  run -0 "$TOLLGATE" measure --delete 2
  [[ $output == "deleted session 2: 'a / b', 8 runs" ]]
  run -0 "$TOLLGATE" measure --list --format json
  [[ $output == *'"id": 3'*'"made": 6'*'"id": 1'*'"made": 6'* && $output != *'"id": 2'* ]]
  run -2 "$TOLLGATE" measure --delete 2
  [[ $output == *"there is no session '2'"* ]]
  run -2 "$TOLLGATE" measure --delete
  [[ $output == *"--delete wants the id or name of a session"* ]]
  printf '%s\n' "real 1.01" "user 0.90" "sys 0.10" >runs.txt
  run -0 "$TOLLGATE" import --session runs runs.txt
  run -0 "$TOLLGATE" measure --delete runs
  [[ $output == "deleted the imported session 'runs'" ]]
  run -0 "$TOLLGATE" measure --list
  [[ ${#lines[@]} == 3 && $output != *imported* ]]
}

@test "a plan is read strictly" {
  printf '%s\n' 'run = 3' '[[variants]]' 'name = "a"' 'command = "true"' >plan.toml
  run -2 "$TOLLGATE" measure --plan plan.toml
  [[ $output == *"plan.toml:1:1: "*"did you mean 'runs'?"* ]]
  printf '%s\n' 'runs = 3' '[[variants]]' 'name = "a"' 'command = "true"' '[[variants]]' 'name = "b"' \
    'command = "true"' >plan.toml
  run -0 "$TOLLGATE" measure --plan plan.toml
  [[ $(count measured) == 6 ]]
}

# boots WITH...: a plan of two boots, of which the running kernel is the first.
boots() {
  {
    printf '%s\n' 'command = "true"' 'runs = 3' 'boots = 1' 'order = "abba"'
    printf '%s\n' '[[variants]]' 'name = "here"' "kernel = \"$1\""
    printf '%s\n' '[[variants]]' 'name = "there"' 'kernel = "0.0.1"' 'command_line = ["pti=on"]'
  } >plan.toml
}

@test "boots: what the running kernel is due is run, and the next boot is named" {
  boots "$(uname -r)"
  sed -i 's/^runs = 3/&\nwarmup = 1/' plan.toml
  run -0 --separate-stderr "$TOLLGATE" measure --plan plan.toml
  [[ $stderr == *"session 1: 3 runs made in this boot, and 1 to warm up" ]]
  [[ $output == "boot next: 'there' (kernel 0.0.1 with pti=on), then: tollgate measure --resume 1" ]]
  [[ $(count measured) == 3 ]]
  run -0 --separate-stderr "$TOLLGATE" measure --resume \
    --reboot-cmd 'echo $TOLLGATE_NEXT_VARIANT $TOLLGATE_NEXT_COMMAND_LINE >asked; echo booting'
  [[ $(<asked) == "there pti=on" && $(count measured) == 3 && $output == booting ]]
}

@test "boots: a kernel of no variant is refused, with what runs and what would match" {
  boots "0.0.0"
  run -2 "$TOLLGATE" measure --plan plan.toml
  [[ $output == *"the running kernel is $(uname -r) with the command line"*"'here' wants kernel 0.0.0"* ]]
  [[ ! -e $store ]]
}

@test "exports hold every run in JSON and CSV" {
  run -0 "$TOLLGATE" measure --variant a=true --variant b=true --runs 3 --warmup 1 --aa
  [[ $(count measured) == 6 && $(count noise) == 6 && $(count warmup) == 2 ]]
  run -0 "$TOLLGATE" measure --export json -o out.json 1
  [[ -z $output ]]
  [[ $(grep -c '"kind":' out.json) == 14 ]]
  run -2 "$TOLLGATE" measure --export json 7
  [[ $output == *"there is no session '7' (known: 1 'a / b')"* ]]
}
