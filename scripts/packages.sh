# shellcheck shell=bash
# Installing what is missing. Sourced by ./tollgate and ./dev once they know that they may need it.
#
# Installs only as root or through sudo; otherwise prints the one line to run and exits 2. Never removes a package: where
# apt would have to, it stops and says so. The script that sources this sets `root`, the tree, and `program`, its own name.
: "${root:?}" "${program:?}"

# packages_of GROUP... : the packages of the groups, one a line.
packages_of() {
  local group package _ wanted=" $* "
  while read -r group package _; do
    if [[ $wanted == *" $group "* ]]; then echo "$package"; fi
  done <"$root/packaging/debian-packages.txt"
}

# missing_packages GROUP... : those of them that are not installed.
missing_packages() {
  local installed package
  installed=$(LC_ALL=C dpkg-query -W -f='${Package} ${db:Status-Status}\n' 2>/dev/null)
  for package in $(packages_of "$@"); do
    if [[ $'\n'$installed$'\n' != *$'\n'"$package installed"$'\n'* ]]; then echo "$package"; fi
  done
}

# as_root COMMAND... : runs it as root, quietly, its output in the log.
as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

# may_become_root: whether as_root can work, with a password if somebody is there to type it.
may_become_root() {
  [[ $(id -u) == 0 ]] && return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null && return 0
  [[ -t 0 && -t 2 ]]
}

apt_lists_are_there() {
  local list
  for list in /var/lib/apt/lists/*_Packages*; do
    [[ -e $list ]] && return 0
  done
  return 1
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q "$@" </dev/null 9>&-
}

# install_packages PACKAGE... : with fresh lists where there are none, or where the ones there turn out to be stale.
install_packages() {
  local log=$root/build/install.log
  : >"$log"
  if apt_lists_are_there || apt update >>"$log" 2>&1; then
    apt install -y --no-install-recommends --no-remove "$@" >>"$log" 2>&1 && return 0
    if ! grep -q 'Packages need to be removed' "$log"; then
      apt update >>"$log" 2>&1
      apt install -y --no-install-recommends --no-remove "$@" >>"$log" 2>&1 && return 0
    fi
  fi
  tail -n 20 "$log" >&2
  if grep -q 'Packages need to be removed' "$log"; then
    echo "$program: apt would have to remove packages for this, so nothing was changed; to see which: apt-get install $*" >&2
  fi
  return 1
}

# need_packages GROUP... : after it, the packages are there, or the script has ended with status 2.
need_packages() {
  command -v dpkg-query >/dev/null || return 0 # not a Debian: the build says what it misses
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return 0
  if ! may_become_root; then
    {
      echo "$program: these packages are missing, and installing them needs root. Run as root:"
      echo "apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    } >&2
    exit 2
  fi
  echo "$program: installing ${missing[*]}" >&2
  mkdir -p "$root/build"
  if ! install_packages "${missing[@]}"; then
    echo "$program: the installation failed; the whole log is $root/build/install.log" >&2
    exit 2
  fi
}
