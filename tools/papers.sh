#!/bin/bash
# papers.sh [PAPER]: runs the tests that the rows of vitrine papers name, and no others, package
# by package. It fails where one fails, and says of each package how many tests the rows name.
set -u
cd "$(dirname "$0")/.." || exit 1
rows=$(bin/vitrine papers "$@" --json) || exit 1
bad=0
while read -r package tests; do
  echo "$package: $(grep -o '|' <<<"|$tests" | wc -l) tests"
  go test -count 1 -timeout 40m -run "^($tests)\$" "$package" || bad=1
done < <(jq -r '[.rows[] | select(.test != "") | .test | capture("(?<package>.*)/[^/]*:(?<test>.*)")]
  | group_by(.package)[] | "./\(.[0].package) \(map(.test) | unique | join("|"))"' <<<"$rows")
exit $bad
