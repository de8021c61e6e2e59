# tollgate check: the exit status is the verdict.

@test "check: a safe protocol exits 0 and says that all invariants hold" {
  run "$TOLLGATE" check vmid --variant v5.14 --cpus 2 --vms 4 --bits 2
  [ "$status" -eq 0 ]
  [[ "$output" == *"every invariant holds in every reachable state"* ]]
  [[ "$output" == *"sequentially consistent"* ]]
}

@test "check: a counterexample exits 1 and is a numbered schedule" {
  run "$TOLLGATE" check monotonic
  [ "$status" -eq 1 ]
  [[ "$output" == *"   1. CPU 0 loads A"* ]]
  [[ "$output" == *"counterexample: UniqueVMIDActive fails"* ]]
}

@test "check: IDs that do not outnumber the CPUs are refused with exit 2" {
  run "$TOLLGATE" check vmid --cpus 3 --vms 4 --bits 2
  [ "$status" -eq 2 ]
  [[ "$output" == *"--allow-too-few"* ]]
}

@test "check: a met memory bound exits 2 and says so" {
  run "$TOLLGATE" check vmid --every-step --memory 2
  [ "$status" -eq 2 ]
  [[ "$output" == *"undecided: the memory bound was met"* ]]
}

@test "check: JSON has no time in it and is the same twice" {
  "$TOLLGATE" check monotonic --format json >"$BATS_TEST_TMPDIR/a" || [ $? -eq 1 ]
  "$TOLLGATE" check monotonic --format json >"$BATS_TEST_TMPDIR/b" || [ $? -eq 1 ]
  cmp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
}

@test "check: JSON has the fields that its schema requires, and no other" {
  local schema="$BATS_TEST_DIRNAME/../../docs/schema/check.schema.json"
  "$TOLLGATE" check monotonic --format json >"$BATS_TEST_TMPDIR/json" || [ $? -eq 1 ]
  sed -n '/"required"/,/]/p' "$schema" | grep -o '"[a-z_]*"' | tail -n +2 | sort >"$BATS_TEST_TMPDIR/required"
  grep -o '^  "[a-z_]*":' "$BATS_TEST_TMPDIR/json" | tr -d ' :' | sort >"$BATS_TEST_TMPDIR/printed"
  [ -s "$BATS_TEST_TMPDIR/printed" ]
  cmp "$BATS_TEST_TMPDIR/required" "$BATS_TEST_TMPDIR/printed"
  grep -q '"verdict": "violated"' "$BATS_TEST_TMPDIR/json"
  grep -q '"stride": "step"' "$BATS_TEST_TMPDIR/json"
}

@test "check: by transactions and by single steps the verdict is one, and both say which they took" {
  run "$TOLLGATE" check vmid --variant v5.14
  [ "$status" -eq 0 ]
  [[ "$output" == *"transactions taken"* ]]
  run "$TOLLGATE" check vmid --variant v5.14 --every-step
  [ "$status" -eq 0 ]
  [[ "$output" == *"steps taken"* ]]
}

@test "check: a killed exploration goes on from its checkpoint" {
  local file="$BATS_TEST_TMPDIR/kept"
  "$TOLLGATE" check vmid --variant v5.14 --cpus 3 --vms 5 --ids 4 --checkpoint "$file" >/dev/null 2>&1 &
  local pid=$!
  for _ in $(seq 600); do
    [ -s "$file.transactions" ] && [ "$(stat -c %s "$file.transactions")" -gt 100000 ] && break
    sleep 0.1
  done
  kill -9 "$pid"
  wait "$pid" || true
  [ -s "$file.transactions" ]
  run "$TOLLGATE" check vmid --variant merged --cpus 3 --vms 5 --ids 4 --checkpoint "$file"
  [ "$status" -eq 2 ]
  [[ "$output" == *"another exploration"* ]]
  run "$TOLLGATE" check vmid --variant v5.14 --cpus 3 --vms 5 --ids 4 --checkpoint "$file"
  [ "$status" -eq 0 ]
  [[ "$output" == *"1,025,271 states"* ]]
  [ ! -e "$file.transactions" ]
}

@test "list protocols: names them, and shows the variants of one" {
  run "$TOLLGATE" list protocols
  [ "$status" -eq 0 ]
  [[ "$output" == *"shootdown"* ]]
  run "$TOLLGATE" list protocols asid
  [ "$status" -eq 0 ]
  [[ "$output" == *"unconditional-exchange"* ]]
  run "$TOLLGATE" list protocols asdi
  [ "$status" -eq 2 ]
  [[ "$output" == *"did you mean 'asid'"* ]]
}

@test "check: options that mean nothing to a protocol are refused" {
  run "$TOLLGATE" check mm-switch --ids 7
  [ "$status" -eq 2 ]
  [[ "$output" == *"--ids is about tags, and 'mm-switch' has none"* ]]
  run "$TOLLGATE" check shootdown --vms 3
  [ "$status" -eq 2 ]
  run "$TOLLGATE" check svm-asid --speculate vttbr
  [ "$status" -eq 2 ]
  [[ "$output" == *"those of 'svm-asid' are a CPU's own"* ]]
}
