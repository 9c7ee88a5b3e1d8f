# Runs the program of a step in a pod. The container's log has one frame a line, numbered: "12o TEXT".
#   o TEXT  a line of standard output   p TEXT  a part of one
#   e TEXT  a line of standard error    f TEXT  a part of one
#   r HEX   a part of the result file, combined with the pad   l SIZE  that was all of it
#   ? WORDS why the result file cannot be read
#   x CODE  the exit code, always the last frame
# This script alone writes there, from files that the program writes: no text can be taken for a frame.
number=0
result=
frame() {
  number=$((number + 1))
  printf '%d%s %s\n' "$number" "$1" "$2"
}

work=$SLIPWAY_JOB_WORK
input=$SLIPWAY_JOB_INPUT
own=$work/.slipway
umask 077
mkdir -p "$work/tmp" "$own" && cp -R "$input/work/." "$work" || exit 125
: >"$own/out"
: >"$own/err"
exec 3<"$own/out" 4<"$own/err"

(
  /bin/sh "$input/start" <"$work/stdin" >"$own/out" 2>"$own/err" 3<&- 4<&- &
  echo $! >"$own/pid"
  wait $!
  echo $? >"$own/code.new"
  mv "$own/code.new" "$own/code"
) &
trap 'kill -TERM "$(cat "$own/pid" 2>/dev/null)" 2>/dev/null' TERM

copy() {
  while IFS= read -r line <&3; do frame o "$line"; done
  [ -z "$line" ] || frame p "$line"
  while IFS= read -r line <&4; do frame e "$line"; done
  [ -z "$line" ] || frame f "$line"
}

while [ ! -f "$own/code" ]; do
  copy
  sleep 0.1 2>/dev/null || sleep 1
done
copy
code=$(cat "$own/code")

file=$(cat "$input/result")
file=$work/$file
if [ -h "$file" ]; then
  frame '?' 'is no plain file but a link'
elif [ -d "$file" ]; then
  frame '?' 'is no plain file but a directory'
elif [ -e "$file" ] && [ ! -f "$file" ]; then
  frame '?' 'is no plain file but a pipe or device'
elif [ -s "$file" ]; then
  size=$(wc -c <"$file")
  most=$(wc -c <"$input/pad")
  if [ "$size" -gt "$most" ]; then
    frame '?' "has $((size)) bytes; the outputs of a Job have at most $((most / 1024)) KiB"
  else
    { od -An -v -tu1 "$file"; echo -; od -An -v -tu1 "$input/pad"; } | awk -v number="$number" '
      BEGIN {
        for (i = 0; i < 16; i++) for (j = 0; j < 16; j++) {
          x = 0
          for (b = 1; b < 16; b += b) if (int(i / b) % 2 != int(j / b) % 2) x += b
          differ[i, j] = x
        }
        size = 0; at = 0
      }
      $1 == "-" { pad = 1; next }
      !pad { for (i = 1; i <= NF; i++) byte[size++] = $i; next }
      at < size {
        for (i = 1; i <= NF && at < size; i++) {
          b = byte[at++]
          hex = hex sprintf("%x%x", differ[int(b / 16), int($i / 16)], differ[b % 16, $i % 16])
        }
        if (length(hex) > 2000) { printf "%dr %s\n", ++number, hex; hex = "" }
      }
      END {
        if (hex != "") printf "%dr %s\n", ++number, hex
        printf "%dl %d\n", ++number, size
      }'
    number=$((number + size))
  fi
elif [ -f "$file" ]; then
  frame l 0
fi
frame x "$code"
exit "$code"
