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
mkdir -p dist/stage

for target in "${targets[@]}"; do
	name=vitrine_${version}_${target/\//_}
	echo "release: $name"
	mkdir -p "dist/stage/$name"
	CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} \
		go build -buildvcs=true -trimpath -ldflags '-s -w' -o "dist/stage/$name/vitrine" ./cmd/vitrine
	cp LICENSE README.md docs/third-party.md "dist/stage/$name/"
	tar --create --sort=name --mtime="@$commit_time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--directory dist/stage "$name" | gzip --no-name --best >"dist/$name.tar.gz"
done

echo "release: the modules of the program"
go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 app -json -licenses -noserial \
	-main cmd/vitrine -output "dist/vitrine_$version.cdx.json" . 2>dist/stage/sbom.log || { cat dist/stage/sbom.log >&2; exit 1; }

venv=dist/stage/venv
if python3 -m venv "$venv" && timeout 120 "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 wheel setuptools; then
	export SOURCE_DATE_EPOCH=$commit_time
	cp -r python dist/stage/python
	"$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist/stage dist/stage/python
	for target in "${targets[@]}"; do
		echo "release: wheel for $target"
		rm -rf dist/stage/unpacked
		"$venv/bin/wheel" unpack --dest dist/stage/unpacked dist/stage/vitrine_reward-*.whl >/dev/null
		tree=$(echo dist/stage/unpacked/*)
		install -D "dist/stage/vitrine_${version}_${target/\//_}/vitrine" "$tree/$(basename "$tree").data/scripts/vitrine"
		sed -i "s/^Root-Is-Purelib: .*/Root-Is-Purelib: false/; s/^Tag: .*/Tag: py3-none-${platform[$target]}/" "$tree"/*.dist-info/WHEEL
		"$venv/bin/wheel" pack --dest-dir dist "$tree" >/dev/null
	done
else
	echo "release: no wheels: the Python registry did not give wheel and setuptools" >&2
fi

rm -rf dist/stage
(cd dist && sha256sum -- * >checksums.txt)
ls -l dist
