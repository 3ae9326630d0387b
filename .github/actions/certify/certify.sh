#!/usr/bin/env bash
# The work of the certify action, for any CI: everything comes in variables, see
# action.yml. Appends to the files that GITHUB_STEP_SUMMARY and GITHUB_OUTPUT name
# where they are set. Exits with 1 on a deviation (with a baseline: a regression, or cells
# that are lost; QCONFORM_FAIL_ON names other changes), on a problem with known differences,
# and, without a baseline, where nothing is supported; with 2 on bad input, and with the run's
# own code where it was cut off.
set -euo pipefail

qconform=${QCONFORM:-qconform}
output=${QCONFORM_OUTPUT:-qconform-output}
mkdir -p "$output"
report=$output/report.json

# What is uploaded has a name of its own in the workflow run: a second use in one job, and
# the jobs of a matrix, would be refused otherwise.
artifact=${QCONFORM_ARTIFACT-}
if [[ -z $artifact ]]; then
  uses=${RUNNER_TEMP:-$output}/qconform-uses
  echo use >>"$uses"
  artifact=qconform-${GITHUB_JOB:-job}-${QCONFORM_JOB_INDEX:-0}-$(($(wc -l <"$uses")))
fi
[[ -z ${GITHUB_OUTPUT-} ]] || echo "artifact-name=$artifact" >>"$GITHUB_OUTPUT"

# Appends a page to the job's summary, or prints it. Not by way of /dev/stdout: where that is
# a file, it would be opened once more, at an offset of its own.
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
[[ -n ${QCONFORM_BACKEND-} ]] || fail "QCONFORM_BACKEND is not set; what --backend takes is needed"
baseline=${QCONFORM_BASELINE-}
if [[ -n $baseline ]]; then
  [[ ! $baseline -ef $report ]] ||
    fail "$baseline is the baseline and where the report goes; another place is needed for one"
  # Before the work: one that cannot be read, or of a run that was cut off, is no baseline.
  "$qconform" diff --require-complete "$baseline" "$baseline" >/dev/null || fail "no baseline"
fi
# One of an earlier run would be taken for that of this one.
rm -f "$report" "$report.journal"

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

code=0
"${run[@]}" "${known[@]}" || code=$?
if [[ ! -s $report ]]; then
  echo "certify: qconform wrote no report (exit code $code)" >&2
  exit 2
fi
[[ -z ${GITHUB_OUTPUT-} ]] || echo "report=$report" >>"$GITHUB_OUTPUT"

# With known differences 1 says that there are problems with them, whatever else deviates.
problems=0
"$qconform" report "$report" "${known[@]}" "${only_problems[@]}" \
  --markdown "$output/report.md" --html "$output/report.html" --junit "$output/junit.xml" \
  >/dev/null || problems=$?
((${#known[@]} > 0)) || problems=0
summarize <"$output/report.md"

# Any other code is of a run that failed or was cut off: nothing excuses that.
if ((code != 0 && code != 1 && code != 3 && code != 4)); then
  echo "certify: qconform run ended with exit code $code; its report is no verdict" >&2
  exit "$code"
fi
if [[ -n $baseline ]]; then
  difference=0
  "$qconform" diff "$baseline" "$report" "${known[@]}" \
    ${QCONFORM_FAIL_ON:+--fail-on "$QCONFORM_FAIL_ON"} --markdown "$output/diff.md" ||
    difference=$?
  ((difference == 0 || difference == 1 || difference == 3)) || exit "$difference"
  { echo; cat "$output/diff.md"; } | summarize
  # What deviated before is no regression; another suite or selection (3) is for a person
  # to look at.
  ((difference != 1)) || exit 1
  if ((problems != 0)); then
    echo "certify: there are problems with $QCONFORM_KNOWN, see above" >&2
    exit 1
  fi
  exit 0
fi
if ((code == 4)); then
  echo "certify: the backend supports nothing of what was selected; nothing was judged" >&2
  exit 1
fi
# Some unsupported cells are told of in the summary and do not fail a job.
((code == 3)) && exit 0
exit "$code"
