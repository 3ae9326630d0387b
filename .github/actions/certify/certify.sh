#!/usr/bin/env bash
# The script of the certify action; it works in any CI. All input comes in environment variables,
# see action.yml. If GITHUB_STEP_SUMMARY and GITHUB_OUTPUT are set, it appends to these files.
# Exit codes:
#   1  a deviation (with a baseline: a regression, or cells that are lost; QCONFORM_FAIL_ON names
#      other changes), a problem with known differences, or, without a baseline, a backend that
#      supports nothing
#   2  bad input
# If the run was cut off, this script exits with the run's own code.
set -euo pipefail

qconform=${QCONFORM:-qconform}
output=${QCONFORM_OUTPUT:-qconform-output}
mkdir -p "$output"
report=$output/report.json

# The artifact needs a unique name in the workflow run: otherwise the upload fails for a second
# use in one job, and for the jobs of a matrix.
artifact=${QCONFORM_ARTIFACT-}
if [[ -z $artifact ]]; then
  uses=${RUNNER_TEMP:-$output}/qconform-uses
  echo use >>"$uses"
  artifact=qconform-${GITHUB_JOB:-job}-${QCONFORM_JOB_INDEX:-0}-$(($(wc -l <"$uses")))
fi
[[ -z ${GITHUB_OUTPUT-} ]] || echo "artifact-name=$artifact" >>"$GITHUB_OUTPUT"

# Appends a page to the job's summary, or prints it. It does not use /dev/stdout: if that is a
# file, it would be opened a second time, with a separate offset.
summarize() {
  if [[ -n ${GITHUB_STEP_SUMMARY-} ]]; then
    cat >>"$GITHUB_STEP_SUMMARY"
  else
    cat
  fi
}
fail() {
  echo "certify: $1" >&2
  exit 2
}
[[ -n ${QCONFORM_BACKEND-} ]] || fail "QCONFORM_BACKEND: expected a backend as --backend takes it, got nothing"
baseline=${QCONFORM_BASELINE-}
if [[ -n $baseline ]]; then
  [[ ! $baseline -ef $report ]] ||
    fail "QCONFORM_BASELINE: expected another file than the new report, got $baseline"
  # Before the run, because a file that cannot be read, or the report of a run that was cut off,
  # cannot be a baseline.
  "$qconform" diff --require-complete "$baseline" "$baseline" >/dev/null ||
    fail "QCONFORM_BASELINE: expected the report of a whole run (see above)"
fi
# The report of an earlier run would be mistaken for that of this one.
rm -f "$report" "$report.journal" "$output/junit.xml"

run=("$qconform" run --backend "$QCONFORM_BACKEND" --level "${QCONFORM_LEVEL:-standard}"
  --report "$report" --no-progress)
known=()
only_problems=()
if [[ -n ${QCONFORM_KNOWN-} ]]; then
  known=(--known "$QCONFORM_KNOWN")
  only_problems=(--known-problems)
fi
[[ -z ${QCONFORM_SEED-} ]] || run+=(--seed "$QCONFORM_SEED")
[[ -z ${QCONFORM_JOBS-} ]] || run+=(--jobs "$QCONFORM_JOBS")
[[ -z ${QCONFORM_TIMEOUT-} ]] || run+=(--timeout-per-case "$QCONFORM_TIMEOUT")
[[ -z ${QCONFORM_MEMORY-} ]] || run+=(--memory-limit "$QCONFORM_MEMORY")
while IFS= read -r line; do
  [[ -z $line ]] || run+=(--backend-option "$line")
done <<<"${QCONFORM_BACKEND_OPTIONS-}"
while IFS= read -r line; do
  [[ -z $line ]] || run+=(--cells "$line")
done <<<"${QCONFORM_CELLS-}"
while IFS= read -r line; do
  [[ -z $line ]] || run+=(--node-tests "$line")
done <<<"${QCONFORM_NODE_TESTS-}"

if [[ $QCONFORM_BACKEND == py:* && -n ${QCONFORM_PYTHON-} ]]; then
  run+=(--python "$QCONFORM_PYTHON")
fi

# GitHub shows the findings at their source: as errors if the job fails.
annotate() {
  local level=warning
  (($1 == 0)) || level=error
  [[ -n ${GITHUB_ACTIONS-} && -s $output/junit.xml ]] || return 0
  python3 "$(dirname "${BASH_SOURCE[0]}")/annotate.py" "$level" "$report" "$output/junit.xml" \
    "${QCONFORM_SOURCE-}" "${QCONFORM_KNOWN-}" || true
}
trap 'annotate $?' EXIT

code=0
"${run[@]}" "${known[@]}" || code=$?
if [[ ! -s $report ]]; then
  echo "certify: qconform wrote no report (exit code $code)" >&2
  exit 2
fi
[[ -z ${GITHUB_OUTPUT-} ]] || echo "report=$report" >>"$GITHUB_OUTPUT"

# With known differences, exit code 1 means a problem with them, whatever else deviates.
problems=0
"$qconform" report "$report" "${known[@]}" "${only_problems[@]}" \
  --markdown "$output/report.md" --html "$output/report.html" --junit "$output/junit.xml" \
  >/dev/null || problems=$?
((${#known[@]} > 0)) || problems=0
summarize <"$output/report.md"

# Any other code means that the run failed or was cut off. Nothing excuses that.
if ((code != 0 && code != 1 && code != 3 && code != 4)); then
  echo "certify: qconform run ended with exit code $code, so its report is not a verdict" >&2
  exit "$code"
fi
if [[ -n $baseline ]]; then
  difference=0
  "$qconform" diff "$baseline" "$report" "${known[@]}" \
    ${QCONFORM_FAIL_ON:+--fail-on "$QCONFORM_FAIL_ON"} --markdown "$output/diff.md" ||
    difference=$?
  ((difference == 0 || difference == 1 || difference == 3)) || exit "$difference"
  { echo; cat "$output/diff.md"; } | summarize
  # A cell that deviated before is not a regression. If the suite or the selection changed (3), a
  # person has to look at it.
  ((difference != 1)) || exit 1
  if ((problems != 0)); then
    echo "certify: there are problems with $QCONFORM_KNOWN, see above" >&2
    exit 1
  fi
  exit 0
fi
if ((code == 4)); then
  echo "certify: the backend supports nothing that was selected, so nothing was judged" >&2
  exit 1
fi
# The summary lists unsupported cells; if only some are unsupported, the job does not fail.
if ((code == 3)); then
  allowed=0
  "$qconform" report "$report" "${known[@]}" --allow-unsupported >/dev/null || allowed=$?
  if ((allowed == 3)) && grep -Eq '"(verdict|result)":"refused_legal"' "$report"; then
    echo "certify: the backend refuses legal models as invalid, see above" >&2
    exit 1
  fi
  exit 0
fi
exit "$code"
