#!/usr/bin/env bats
# The launcher, in a small tree with a program of three lines instead of ours.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup() {
  tree=$BATS_TEST_TMPDIR/tree
  fake=$BATS_TEST_TMPDIR/fake
  mkdir -p "$tree"/{src,scripts,packaging} "$fake"
  cp "$TOLLGATE_ROOT/tollgate" "$tree"
  cp "$TOLLGATE_ROOT/scripts/packages.sh" "$tree/scripts"
  cp "$TOLLGATE_ROOT/packaging/debian-packages.txt" "$tree/packaging"
  cat >"$tree/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(tollgate LANGUAGES CXX)
add_executable(tollgate_program src/main.cc)
set_target_properties(tollgate_program PROPERTIES OUTPUT_NAME tollgate)
CMAKE
  program one
}

# program WORD: the small tree's program prints WORD and its arguments, and ends with their number.
program() {
  cat >"$tree/src/main.cc" <<CXX
#include <cstdio>
int main(int argc, char** argv) {
  std::printf("$1");
  for (int i = 1; i < argc; ++i) std::printf(" %s", argv[i]);
  std::puts("");
  return argc - 1;
}
CXX
}

# fake NAME BODY: a command of that name, first on the PATH.
fake() {
  printf '#!/bin/bash\n%s\n' "$2" >"$fake/$1"
  chmod +x "$fake/$1"
}

@test "the first call builds, the answer alone is on standard output, and the status is the program's" {
  run -2 --separate-stderr "$tree/tollgate" a "b c"
  [[ $output == "one a b c" && $stderr == *"tollgate: building in "* ]]
}

@test "a later call only runs the program" {
  "$tree/tollgate"
  for name in cmake ninja dpkg-query apt-get; do fake "$name" "echo called $name >&2; exit 9"; done
  PATH=$fake:$PATH run -0 --separate-stderr "$tree/tollgate"
  [[ $output == one && -z $stderr ]]
}

@test "a changed, an added and a removed source are each built again" {
  "$tree/tollgate"
  program two
  run -0 --separate-stderr "$tree/tollgate"
  [[ $output == two && $stderr == *building* ]]
  touch "$tree/src/added.h"
  run -0 "$tree/tollgate"
  [[ $output == *building* ]]
  rm "$tree/src/added.h"
  run -0 "$tree/tollgate"
  [[ $output == *building* ]]
}

@test "it works from another folder, through a link, and in a folder with spaces" {
  mv "$tree" "$tree with spaces"
  ln -s "$tree with spaces/tollgate" "$BATS_TEST_TMPDIR/link"
  cd /
  run -0 --separate-stderr "$BATS_TEST_TMPDIR/link"
  [[ $output == one ]]
}

@test "a tree that was moved is built anew, since the program knows its folder" {
  "$tree/tollgate"
  mv "$tree" "$tree-moved"
  run -0 --separate-stderr "$tree-moved/tollgate"
  [[ $output == one && $stderr == *"building in $tree-moved"* ]]
}

@test "a source that does not compile is status 2, and the next call tries again" {
  echo nonsense >"$tree/src/main.cc"
  run -2 --separate-stderr "$tree/tollgate"
  [[ -z $output && $stderr == *nonsense*"the build failed"* ]]
  program mended
  run -0 --separate-stderr "$tree/tollgate"
  [[ $output == mended ]]
}

@test "two launchers at once build once" {
  "$tree/tollgate" >"$BATS_TEST_TMPDIR/a" 2>&1 &
  "$tree/tollgate" >"$BATS_TEST_TMPDIR/b" 2>&1
  wait $!
  cat "$BATS_TEST_TMPDIR"/[ab]
  [[ $(cat "$BATS_TEST_TMPDIR"/[ab] | grep -c "building in") == 1 ]]
  [[ $(cat "$BATS_TEST_TMPDIR"/[ab] | grep -c "^one$") == 2 ]]
}

@test "without root and sudo it prints the one line to run and installs nothing" {
  fake id 'echo 1000'
  fake dpkg-query 'true'
  for name in bash cat find flock mkdir; do ln -s "$(command -v "$name")" "$fake/$name"; done
  run -2 --separate-stderr env PATH="$fake" "$tree/tollgate"
  [[ -z $output && ${stderr_lines[1]} == "apt-get update && apt-get install -y --no-install-recommends g++ cmake"*libboost1.81-dev* ]]
}

@test "as root it says what it installs, and installs without questions, extras or removals" {
  fake id 'echo 0'
  fake dpkg-query 'echo g++ installed; echo cmake config-files'
  fake apt-get 'echo "$DEBIAN_FRONTEND $*" >>"$CALLS"'
  CALLS=$BATS_TEST_TMPDIR/calls PATH=$fake:$PATH run -0 --separate-stderr "$tree/tollgate"
  [[ ${stderr_lines[0]} == "tollgate: installing cmake ninja-build "* ]]
  grep -q "^noninteractive -q install -y --no-install-recommends --no-remove cmake ninja-build " "$BATS_TEST_TMPDIR/calls"
}

@test "an installation that fails is status 2 and shows what apt said" {
  fake id 'echo 0'
  fake dpkg-query 'true'
  fake apt-get 'echo "E: something is wrong"; exit 100'
  PATH=$fake:$PATH run -2 --separate-stderr "$tree/tollgate"
  [[ $stderr == *"E: something is wrong"*"the installation failed"* ]]
}

@test "a package that apt would have to remove is left alone" {
  fake id 'echo 0'
  fake dpkg-query 'true'
  fake apt-get 'echo "E: Packages need to be removed but remove is disabled."; exit 100'
  PATH=$fake:$PATH run -2 --separate-stderr "$tree/tollgate"
  [[ $stderr == *"so nothing was changed"* ]]
}
