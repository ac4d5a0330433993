#!/usr/bin/env bash
# What `npm test` runs: the packages that the tests need, then every check. The last line counts the tests.
set -u
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"

# program -> Debian package
needs="python3:python3 setsid:util-linux pgrep:procps git:git bwrap:bubblewrap redis-server:redis-server pg_ctlcluster:postgresql ip:iproute2 openssl:openssl slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client sshd:openssh-server chromium:chromium zstd:zstd podman:podman runc:runc catatonit:catatonit"

install_missing() {
  local missing="" sudo=""
  for need in $needs; do
    command -v "${need%%:*}" >/dev/null || missing="$missing ${need##*:}"
  done
  [ -z "$missing" ] && return
  if ! command -v apt-get >/dev/null; then
    echo "missing:$missing. This is no Debian: install them yourself, or the tests that need them fail."
    return
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      echo "missing:$missing. Run: sudo apt-get install$missing"
      return
    fi
    sudo="sudo -n"
  fi
  echo "installing$missing (apt-get)"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { $sudo apt-get update -qq && $sudo apt-get install -qq -y --no-install-recommends $missing; } >/dev/null ||
    echo "apt-get could not install$missing; the tests that need them fail."
}

check() {
  echo "== $1"
  shift
  "$@" || touch "$found"
}
read_code() {
  check "lint" biome check --diagnostic-level=error .
  check "types" tsc --noEmit
  check "types of the page" tsc --noEmit -p viewer
  check "types of the page's tests" tsc --noEmit -p test/browser
  check "unused code" knip
}

# What only reads the code is looked at while packages and the image of the container tests are on their way. The file says
# that it found something.
found=$(mktemp -u)
log=$(mktemp)
trap 'rm -f "$found" "$log"' EXIT
read_code >"$log" 2>&1 &
install_missing
bash scripts/container-base.sh
wait $!
cat "$log"
echo "== tests"
[ ! -e "$found" ] || echo "What is above must be mended, too."
vitest run --project unit --project simulation --project system --project browser || touch "$found"
[ ! -e "$found" ]
