#!/usr/bin/env bash
# Installs what Vitrine needs and this machine lacks, by Debian package name, and
# says what it does. Nothing is installed that is there already.
#   setup.sh run    what `vitrine` needs: a browser, a sandbox, fonts, Node.js
#   setup.sh plots  what run installs, and Python with the libraries that plots use: 84 MB to
#                   fetch, 0.6 GB on the disk
#   setup.sh image  the same, on a machine that gets a built program and needs no Go
#   setup.sh test   what plots installs, and a C compiler for the race detector
set -euo pipefail

lacking=()
need() { # need PACKAGE TEST...: asks for the package unless the test succeeds
	local package=$1
	shift
	"$@" >/dev/null 2>&1 || lacking+=("$package")
}
command_exists() { command -v "$1"; }
any_browser() { command -v chromium-headless-shell || command -v chrome-headless-shell || command -v chromium || command -v google-chrome; }
font_for() { fc-list "$1" family 2>/dev/null | grep -q .; }

need chromium-headless-shell any_browser
need bubblewrap command_exists bwrap
need util-linux command_exists prlimit
need fontconfig command_exists fc-list
need fonts-liberation font_for ":family=Liberation Sans"
need fonts-noto-color-emoji font_for ":lang=und-zsye:color=true"
need fonts-noto-cjk font_for ":lang=zh-cn"
need nodejs command_exists node
need npm command_exists npm
if [ "${1:-run}" = test ]; then
	need gcc command_exists gcc
	need pngquant test -e /usr/bin/pngquant
	need libc6-dev test -e /usr/include/stdio.h
	need python3-venv python3 -c "import ensurepip"
fi

if [ "${1:-run}" = plots ] || [ "${1:-run}" = test ]; then
	need python3 command_exists /usr/bin/python3
	for library in matplotlib pandas plotly seaborn; do
		need "python3-$library" /usr/bin/python3 -c "import importlib.metadata as m; m.version('$library')"
	done
fi

if [ ${#lacking[@]} -gt 0 ]; then
	as_root=()
	if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi
	if ! command -v apt-get >/dev/null; then
		echo "setup: this machine lacks: ${lacking[*]}" >&2
		echo "setup: install them with its package manager, then run this again" >&2
		exit 3
	fi
	echo "setup: installing ${lacking[*]}"
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	if ! { "${as_root[@]}" apt-get update &&
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${lacking[@]}"; } >"$log" 2>&1; then
		tail -20 "$log" >&2
		echo "setup: apt-get could not install ${lacking[*]}" >&2
		exit 3
	fi
else
	echo "setup: everything needed is installed"
fi

if [ "${1:-run}" != image ] && ! command -v go >/dev/null; then
	echo "setup: Go 1.26 or newer is needed to build Vitrine" >&2
	exit 3
fi
