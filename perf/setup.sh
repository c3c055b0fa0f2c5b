#!/usr/bin/env bash
# Installs what the peers' ways need, by package name. What cannot be installed is
# said, and make perf goes on without it.
set -uo pipefail
cd "$(dirname "$0")/peers" || exit 1

if [ ! -d node_modules/playwright-core ] || [ ! -d node_modules/selenium-webdriver ]; then
	echo "perf: npm install (playwright-core, selenium-webdriver)"
	npm ci --no-audit --no-fund --ignore-scripts --loglevel=error || echo "perf: npm could not install them; the peers' ways are left out" >&2
fi
if ! command -v chromedriver >/dev/null && command -v apt-get >/dev/null; then
	as_root=()
	if [ "$(id -u)" != 0 ]; then as_root=(sudo -n); fi
	echo "perf: apt-get install chromium-driver"
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium-driver >/dev/null 2>&1 ||
		echo "perf: apt-get could not install chromium-driver; projects are visited by Playwright instead" >&2
fi
exit 0
