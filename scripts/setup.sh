#!/bin/sh
# Installs what building and testing need and is missing: Debian packages (scripts/packages.txt)
# and a local Python environment (.venv, scripts/requirements.txt). Does nothing, in well under a
# second, when all is there. Says in one line what is missing when it cannot go on.
set -u
cd "$(dirname "$0")/.." || exit 1

fail() {
  echo "setup: error: $1" >&2
  exit 1
}

packages=$(sed -e 's/#.*//' scripts/packages.txt)
# An installed package prints 'ii'; all queried at once, which is fast.
installed=$(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' $packages 2>/dev/null | sed -n 's/ ii *$//p')
missing=
for package in $packages; do
  echo "$installed" | grep -qx "$package" || missing="$missing $package"
done

if [ -n "$missing" ]; then
  command -v apt-get >/dev/null || fail "missing$missing, and there is no apt-get to install them"
  sudo=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "missing$missing, and installing them needs root or sudo"
    sudo=sudo
  fi
  echo "setup: installing$missing"
  log=$(mktemp)
  $sudo apt-get update >"$log" 2>&1 || fail "apt-get update failed: $(grep -m1 '^E:' "$log")"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1 ||
    fail "apt-get could not install$missing: $(grep -m1 '^E:' "$log")"
  rm -f "$log"
fi

stamp=.venv/requirements.txt
if ! cmp -s scripts/requirements.txt "$stamp"; then
  echo "setup: installing the Python environment .venv"
  rm -rf .venv
  python3 -m venv .venv || fail "python3 -m venv .venv failed"
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -r scripts/requirements.txt ||
    fail "pip could not install scripts/requirements.txt"
  cp scripts/requirements.txt "$stamp"
fi
