#!/usr/bin/env bash
# count.sh WORK...: executed instructions of arm64, NEON beside portable code,
# under QEMU. Each number is the difference of two runs that do the work more and
# fewer times, divided by how many more, so that start and planning drop out.
#
# Needs Go, gcc and qemu-user (Debian's, which takes plugins; the static one does
# not).
set -euo pipefail
cd "$(dirname "$0")"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -O2 -shared -fPIC -o "$dir/count.so" plugin/count.c
CGO_ENABLED=0 GOARCH=arm64 go build -o "$dir/instructions" .

run() { # run LEVEL WORK TIMES
	TWIDDLE_SIMD=$1 GOMAXPROCS=1 GOGC=off COUNT_FILE=$dir/count \
		qemu-aarch64 -plugin "$dir/count.so" "$dir/instructions" "$2" "$3"
	cat "$dir/count"
}

count() { # count LEVEL WORK
	local more=${TIMES:-40}
	local one=$(run "$1" "$2" 2)
	# Long work needs no repetition.
	if [ "$one" -gt 200000000 ]; then more=4; fi
	local many=$(run "$1" "$2" "$more")
	# Starts differ by some ten thousand instructions.
	if [ $((many - one)) -lt 20000000 ]; then
		more=1000
		many=$(run "$1" "$2" "$more")
	fi
	echo $(((many - one) / (more - 2)))
}

works=("$@")
if [ $# = 0 ]; then
	works=(c64:256 c64:1000 c64:1024 c64:4096 c64:65536 c128:256 c128:1000 c128:1024 c128:4096 c128:65536
		r32:1024 r32:4096 r64:1024 r64:4096
		c64:15x64 c64:18x64 c64:30x64 c64:60x64 r32:15x64 r32:18x64 r32:30x64 r32:60x64
		median:31 chain32:1048576 chain64:1048576 gemm32:512 gemm64:512)
fi
printf '%-16s %14s %14s %8s\n' work portable neon ratio
for w in "${works[@]}"; do
	p=$(count portable "$w")
	n=$(count neon "$w")
	printf '%-16s %14d %14d %8s\n' "$w" "$p" "$n" "$(awk "BEGIN{printf \"%.3f\", $n/$p}")"
done
