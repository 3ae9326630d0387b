#!/bin/sh
# library_test.sh LIBRARY PACKAGE QCONFORM PLUGIN CELL...: a plugin around a library answers
# cases of each cell. 77: the plugin was not built, because the library is not installed.
# Whether the answers are right depends on the library and on the CPU, and is not asked here.
set -eu
name=$1_test
package=$2
qconform=$3
plugin=$4
shift 4
if [ ! -e "$plugin" ]; then
  echo "$name: not run, because $package was not found"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for cell; do
  "$qconform" run --backend "plugin:$plugin" --cells "$cell" --level smoke --no-progress \
    --report report.json >text 2>&1 || true
  if ! grep -q '^compared *[1-9]' text; then
    echo "$name: $cell: expected answers, got:"
    cat text
    exit 1
  fi
  rm -f report.json*
done
echo "$name: answers in $# cells"
