# macho.sh: Mach-O cores of x86-64, arm64, and arm64 with signed return addresses,
# in the layouts of their writers. Sourced by make.
#
# The programs in sources/macho are built for macOS without its SDK, mapped by a
# small loader, and stepped through by a debugger stub: gdbserver for x86-64,
# qemu-aarch64's own for arm64. A folder has NAME.core for each layout, frames.json
# (pc, sp and callee-saved registers of each frame), steps/ (the same for each
# instruction that the crashing thread executed) and out/ (the images).

# Beside those, macho-files/ has Node's binaries for macOS: 350 MB of what Apple's
# tools make, from 70,000 unwind entries to both ways to bind.
macho_files="darwin-x64-26.10.0 bin-darwin-arm64-26.10.0 darwin-arm64-18.9.0"

macho_cores() {
	local version
	for version in $macho_files; do macho_file "$version"; done
	macho x86_64 x86_64 xnu mainbin4 gdbserver gcc
	macho arm64 arm64 lldb-dirty xnu qemu-aarch64 aarch64-linux-gnu-gcc
	XCFLAGS=-mbranch-protection=pac-ret+b-key macho arm64pac arm64 xnu-old loadbin qemu-aarch64 aarch64-linux-gnu-gcc
}

# macho_file VERSION: a binary that is only read.
macho_file() {
	local file=macho-files/$1 node
	wanted "$file" || return 0
	if [ -n "$listing" ]; then
		echo "$file"
	elif [ -n "$showing" ]; then
		printf '%s\n\tnode_binary %s\n' "$file" "$1"
	elif [ -e "$LIVE/$file" ]; then
		had=$((had + 1))
	elif [ -n "$dry" ]; then
		echo "$file: it is not there"
	elif mkdir -p "$LIVE/macho-files" && node=$(node_binary "$1") && ln -s "$node" "$LIVE/$file"; then
		echo "made $file" >>"$results"
	else
		echo "failed $file" >>"$results"
	fi
}

# macho NAME ARCH LAYOUT LAYOUT TOOL...: the program with frames of all kinds, and
# the one that is interrupted by signals, each with the layout of its "core".
macho() {
	local id=$1 arch=$2 one=$3 two=$4 tools="clang-19 ld64.lld-19 python3 ${*:5}"
	core "macho-$id" "$tools" macho macho_core "$arch" victim "$one"
	core "macho-$id-signals" "$tools" macho macho_core "$arch" signals "$two"
}

# macho_core ARCH PROGRAM LAYOUT: one folder, in ours.
macho_core() {
	echo "sources/macho/build.sh $1; sources/macho/mkcore.py $1 --program $2 --layout $3" >>made.txt
	env -i PATH="$PATH" XCFLAGS="${XCFLAGS:-}" "$macho/build.sh" "$1" out &&
		python3 "$macho/mkcore.py" "$1" out . --program "$2" --layout "$3" --name "$name" --steps 1 >mkcore.log 2>&1 ||
		{ tail -5 mkcore.log >&2; return 1; }
	rm -f flat.bin mkcore.log
}
