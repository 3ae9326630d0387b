# Sourced by the scripts that check pages of findings.
# shellcheck shell=bash

# check_claims NAME PROGRAM PAGE...: runs each line `$ qconform ...` of the pages unchanged. The
# output must have the lines that follow it in its block. Blocks of a language, such as ```sh,
# are not claims. Returns 1 if a line is not printed. Commands with "$REFERENCE" (ONNX's reference
# evaluator) or "$WEB" (ONNX Runtime Web) are left out if that variable is set but empty.
check_claims() {
  local name=$1 program=$2 page line claims=0 failures=0 left_out=0 missing=0 output='' block=none
  shift 2
  # The commands of the pages call the program by this name.
  qconform() { "$program" "$@" </dev/null; }
  for page; do
    while IFS= read -r line; do
      if [[ $line == '```'* && $block != none ]]; then
        block=none
      elif [[ $line == '```'* ]]; then
        block=claims
        [[ $line == '```' ]] || block=other
      elif [[ $block == claims && $line == '$ qconform '* ]]; then
        missing=0
        if [[ $line == *'"$REFERENCE"'* && -z ${REFERENCE-unset} ||
          $line == *'"$WEB"'* && -z ${WEB-unset} ]]; then
          missing=1
          continue
        fi
        output=$(eval "${line#'$ '}" 2>&1) || true
      elif [[ $block == claims ]] && ((missing)); then
        left_out=$((left_out + 1))
      elif [[ $block == claims ]]; then
        claims=$((claims + 1))
        [[ $output != *"$line"* ]] || continue
        failures=$((failures + 1))
        printf '%s: not printed: %s\n  but:\n%s\n' "$name" "$line" "$output" >&2
      fi
    done <"$page"
  done
  echo "$name: $claims claims, $failures of them false"
  ((left_out == 0)) || echo "$name: $left_out more not checked, because the reference evaluator or ONNX Runtime Web is not installed"
  ((claims > 0 && failures == 0))
}
