#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts the server, talks to it, reloads it and stops it, and prints what can be seen. Fails where something is not as it
# should be. Usage, from any folder: transcript.sh BINARY
set -euo pipefail
notes=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d)
server=
finish() {
  [[ -z $server ]] || kill -KILL "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
cp -r "$here/Configs/Notes" "$work/notes"
cd "$work"

# A port that the system chooses; the transcript has 8080 in its place.
export HTTP_PORT=0
port=8080
shown=0

fail() {
  echo "NOT AS IT SHOULD BE: $1"
  cat "$work/log"
  exit 1
}

# Waits until the log has a text behind what was shown last.
await() {
  for _ in $(seq 200); do
    ! tail -n +$((shown + 1)) log | grep -q -- "$1" || return 0
    sleep 0.05
  done
  fail "the log has no $1"
}

# Prints the new lines of the log, without times.
show() {
  tail -n +$((shown + 1)) log | sed -E \
    -e 's/^[0-9]{4}-[0-9T:+-]+ //; s/ (duration_ms|origin|type)=[^ ]*//g; s/ \[[A-Za-z]+\]//' \
    -e "s/$port/8080/; s/^/  | /"
  shown=$(wc -l <log)
}

start() {
  echo "\$ notes $*"
  : >log
  shown=0
  "$notes" --module notes/app.json "$@" 2>log &
  server=$!
  await 'listening on'
  port=$(sed -nE 's/.*listening on .*:([0-9]+)$/\1/p' log)
  show
}

# Shows a request, makes it, and shows the answer; the first argument is a pattern that it has to match.
request() {
  local expected=$1 answer
  shift
  echo "\$ curl $*" | sed -E "s/\{.*\}/'&'/"
  answer=$(curl -sS -w ' %{http_code}' "${@/localhost:8080/127.0.0.1:$port}")
  grep -v '^configdi_' <<<"$answer" | sed -E 's/ ?([0-9]{3})$/ (\1)/; s/^ */  /'
  grep -qE -- "$expected" <<<"$answer" || fail "the answer is not $expected"
}

stop() {
  echo "\$ kill -TERM \$server"
  kill -TERM "$server"
  local status=0
  wait "$server" || status=$?
  server=
  show
  [[ $status -eq 0 ]] || fail "the status is $status"
}

echo "== It starts, and keeps notes"
start
request '"id":1.* 201$' -d '{"text":"buy tea"}' localhost:8080/notes
request '"text":"buy tea".*200$' localhost:8080/notes
request '404$' localhost:8080/metrics
show

echo "== A reload with a broken file: the old services go on"
echo "\$ sed -i.bak 's/\"limit\"/\"limt\"/' notes/app.json; kill -HUP \$server"
sed -i.bak 's/"limit"/"limt"/' notes/app.json
kill -HUP "$server"
await 'not reloaded'
await '^1 error$'
show
request '201$' -d '{"text":"still here"}' localhost:8080/notes
show

echo "== A reload with a good one: the server and the store stay, the next request has the new limit"
echo "\$ sed -i.bak 's/\"limt\"/\"limit\"/; s/280/10/' notes/app.json; kill -HUP \$server"
sed -i.bak 's/"limt"/"limit"/; s/280/10/' notes/app.json
kill -HUP "$server"
await ' reloaded'
show
request 'at most 10 characters.*413$' -d '{"text":"longer than ten"}' localhost:8080/notes
request '"text":"buy tea".*"text":"still here"|"text":"still here".*"text":"buy tea"' localhost:8080/notes

echo "== A graceful shutdown: what runs ends first, then all is disposed of in the reverse order of building"
stop

echo "== The same binary with two more layers: a page of metrics, and a second store"
start --layers notes/layers/metrics.json notes/layers/archive.json
request '201$' -d '{"text":"buy tea"}' localhost:8080/notes
request '204$' -X DELETE localhost:8080/notes/1
request 'notes_removed_total 1' localhost:8080/metrics
request '"archive":"ok"' localhost:8080/health
stop

echo "== Production without its secret does not start"
echo "\$ notes --environment prod"
status=0
"$notes" --module notes/app.json --environment prod 2>log || status=$?
sed 's/^/  | /' log
[[ $status -eq 1 ]] || fail "the status is $status"
grep -q 'CDI0405' log || fail "the error is another one"
