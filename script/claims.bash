# Sourced by the scripts that check pages of findings.
# shellcheck shell=bash

# check_claims NAME PROGRAM PAGE...: runs each line `$ qconform ...` of the pages as it stands;
# the lines that follow it in its block must be printed. Returns 1 if one is not.
check_claims() {
  local name=$1 program=$2 page line claims=0 failures=0 output='' inside=0
  shift 2
  # The commands of the pages call it so.
  qconform() { "$program" "$@" </dev/null; }
  for page; do
    while IFS= read -r line; do
      if [[ $line == '```' ]]; then
        inside=$((1 - inside))
      elif ((inside)) && [[ $line == '$ qconform '* ]]; then
        output=$(eval "${line#'$ '}" 2>&1) || true
      elif ((inside)); then
        claims=$((claims + 1))
        [[ $output != *"$line"* ]] || continue
        failures=$((failures + 1))
        printf '%s: not printed: %s\n  but:\n%s\n' "$name" "$line" "$output" >&2
      fi
    done <"$page"
  done
  echo "$name: $claims claims, $failures of them false"
  ((claims > 0 && failures == 0))
}
