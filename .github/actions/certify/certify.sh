#!/usr/bin/env bash
# The work of the certify action, for any CI: everything comes in variables, see
# action.yml. Appends to the files that GITHUB_STEP_SUMMARY and GITHUB_OUTPUT name
# where they are set. Exits with 1 on a deviation (with a baseline: a regression, or cells
# that are lost), 2 on bad input, and with the run's own code where it was cut off.
set -euo pipefail

qconform=${QCONFORM:-qconform}
output=${QCONFORM_OUTPUT:-qconform-output}
mkdir -p "$output"
report=$output/report.json

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
[[ -z ${QCONFORM_KNOWN-} ]] || known=(--known "$QCONFORM_KNOWN")
while IFS= read -r line; do
  [[ -z $line ]] || run+=(--backend-option "$line")
done <<<"${QCONFORM_BACKEND_OPTIONS-}"
while IFS= read -r line; do
  [[ -z $line ]] || run+=(--cells "$line")
done <<<"${QCONFORM_CELLS-}"

code=0
"${run[@]}" "${known[@]}" || code=$?
if [[ ! -s $report ]]; then
  echo "certify: qconform wrote no report (exit code $code)" >&2
  exit 2
fi
[[ -z ${GITHUB_OUTPUT-} ]] || echo "report=$report" >>"$GITHUB_OUTPUT"

"$qconform" report "$report" "${known[@]}" --markdown "$output/report.md" \
  --html "$output/report.html" --junit "$output/junit.xml" >/dev/null || true
summarize <"$output/report.md"

# Any other code is of a run that failed or was cut off: nothing excuses that.
if ((code != 0 && code != 1 && code != 3 && code != 4)); then
  echo "certify: qconform run ended with exit code $code; its report is no verdict" >&2
  exit "$code"
fi
if [[ -n $baseline ]]; then
  difference=0
  "$qconform" diff "$baseline" "$report" --markdown "$output/diff.md" || difference=$?
  ((difference == 0 || difference == 1 || difference == 3)) || exit "$difference"
  { echo; cat "$output/diff.md"; } | summarize
  # What deviated before is no regression; another suite or selection (3) is for a person
  # to look at.
  ((difference != 1)) || exit 1
  exit 0
fi
# Unsupported cells are told of in the summary and do not fail a job.
((code == 3 || code == 4)) && exit 0
exit "$code"
