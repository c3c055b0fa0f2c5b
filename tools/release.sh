#!/usr/bin/env bash
# Makes what a release is into dist/: static programs for linux and darwin, amd64 and arm64, a Python
# wheel for each that carries the program, a CycloneDX list of the modules, and checksums. The archives
# of one commit are the same bytes wherever they are made. Where the Python registry is out of reach
# there are no wheels, and it says so.
#   release.sh [OS/ARCH...]    only these
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' doc.go)
commit_time=$(git log -1 --format=%ct)
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64)
declare -A platform=(
	[linux/amd64]=manylinux2014_x86_64 [linux/arm64]=manylinux2014_aarch64
	[darwin/amd64]=macosx_12_0_x86_64 [darwin/arm64]=macosx_12_0_arm64
)
rm -rf dist
mkdir -p dist/work

for target in "${targets[@]}"; do
	name=vitrine_${version}_${target/\//_}
	echo "release: $name"
	mkdir -p "dist/work/$name"
	CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} \
		go build -buildvcs=true -trimpath -ldflags '-s -w' -o "dist/work/$name/vitrine" ./cmd/vitrine
	cp LICENSE README.md docs/third-party.md "dist/work/$name/"
	tar --create --sort=name --mtime="@$commit_time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--directory dist/work "$name" | gzip --no-name --best >"dist/$name.tar.gz"
done

echo "release: the modules of the program"
go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 app -json -licenses -noserial \
	-main cmd/vitrine -output "dist/vitrine_$version.cdx.json" . 2>dist/work/sbom.log || { cat dist/work/sbom.log >&2; exit 1; }

venv=dist/work/venv
if python3 -m venv "$venv" && timeout 120 "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 wheel setuptools; then
	export SOURCE_DATE_EPOCH=$commit_time
	cp -r python dist/work/python
	"$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist/work dist/work/python
	for target in "${targets[@]}"; do
		echo "release: wheel for $target"
		rm -rf dist/work/unpacked
		"$venv/bin/wheel" unpack --dest dist/work/unpacked dist/work/vitrine_reward-*.whl >/dev/null
		tree=$(echo dist/work/unpacked/*)
		install -D "dist/work/vitrine_${version}_${target/\//_}/vitrine" "$tree/$(basename "$tree").data/scripts/vitrine"
		sed -i "s/^Root-Is-Purelib: .*/Root-Is-Purelib: false/; s/^Tag: .*/Tag: py3-none-${platform[$target]}/" "$tree"/*.dist-info/WHEEL
		"$venv/bin/wheel" pack --dest-dir dist "$tree" >/dev/null
	done
else
	echo "release: no wheels: the Python registry did not give wheel and setuptools" >&2
fi

rm -rf dist/work
(cd dist && sha256sum -- * >checksums.txt)
ls -l dist
