#!/usr/bin/env bash
# Puts the program into the step's output `qconform`: QCONFORM if that is set, or else the one of
# the wheel QCONFORM_PACKAGE (what pip takes: qconform==0.2.0, or the path of a wheel), in a
# virtual environment of its own.
set -euo pipefail

program=${QCONFORM-}
if [[ -z $program ]]; then
  environment=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/qconform-environment
  python3 -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
    "${QCONFORM_PACKAGE:-qconform}"
  program=$environment/bin/qconform
fi
"$program" --version
[[ -z ${GITHUB_OUTPUT-} ]] || echo "qconform=$program" >>"$GITHUB_OUTPUT"
