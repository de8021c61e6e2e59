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
  run "$TOLLGATE" check vmid --vms 6 --ids 5 --memory 4
  [ "$status" -eq 2 ]
  [[ "$output" == *"undecided: the memory bound was met"* ]]
}

@test "check: JSON has no time in it and is the same twice" {
  "$TOLLGATE" check monotonic --format json >"$BATS_TEST_TMPDIR/a" || [ $? -eq 1 ]
  "$TOLLGATE" check monotonic --format json >"$BATS_TEST_TMPDIR/b" || [ $? -eq 1 ]
  cmp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
}
