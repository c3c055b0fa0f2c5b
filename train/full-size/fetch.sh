#!/usr/bin/env bash
# Brings the pinned sources of the trainers, and a Python that can read their configurations, into a folder:
#   train/full-size/fetch.sh DIR      (git, Python 3.12, about 1 GB)
# Then: DIR/venv/bin/python -m vitrine_train.full_size DIR   (in train/)
set -euo pipefail
dir=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir"
while read -r name repo commit parts; do
	[ "$(git -C "$dir/$name" rev-parse HEAD 2>/dev/null)" = "$commit" ] && continue
	rm -rf "${dir:?}/$name"
	git init --quiet "$dir/$name"
	git -C "$dir/$name" remote add origin "https://github.com/$repo"
	git -C "$dir/$name" fetch --quiet --depth 1 --filter=blob:none origin "$commit"
	# shellcheck disable=SC2086 # parts are words
	[ -z "$parts" ] || git -C "$dir/$name" sparse-checkout set $parts
	git -C "$dir/$name" checkout --quiet FETCH_HEAD
done <"$here/commits.txt"
[ -x "$dir/venv/bin/python" ] || "${PYTHON:-python3.12}" -m venv "$dir/venv"
pip() { "$dir/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }
pip hydra-core==1.3.8 omegaconf==2.3.1 pydantic==2.14.4 prime-pydantic-config==0.4.3 verifiers==0.4.0 renderers==0.1.12
# the client of prime-rl's task set
pip --no-deps openenv==0.10.0 websockets==17.4
pip fastapi==0.165.0
# what two of them build their settings on, beside each other
pip --no-deps --upgrade --target "$dir/lib/open-r1" transformers==4.52.3 trl==0.18.0
pip --no-deps --upgrade --target "$dir/lib/LLaMA-Factory" transformers==5.8.0
