# arm64.sh: cores that a kernel of arm64 writes, in a virtual machine whose processor has
# scalable vectors and matrices (SVE, SME) and tagged memory (MTE). Sourced by make.
#
# The machine is Debian's QEMU, kernel and busybox of a later release than this script
# runs on, unpacked in $LIVE/arm64: QEMU 7.2 keeps one tag a page, has no SME2, and kernels
# from 6.12 to 6.15 have no SME. It takes ten seconds for all cores.

readonly arm64_suites="trixie trixie-backports"

arm64_cores() {
	local arm64_wanted=() arm64_programs='' tool
	arm64_each arm64_want
	if [ ${#arm64_wanted[@]} -gt 0 ]; then
		finish_jobs # the machine wants a processor
		arm64_machine || say "no machine of arm64: $(tail -1 "$LIVE/arm64/log")"
	fi
	arm64_each arm64_declare
}

readonly arm64_tools='aarch64-linux-gnu-gcc cpio gdb-multiarch'

# arm64_each DO: all of them, as DO NAME SOURCE TRUTH MEMBERS "ARG…" "VARIABLE…" FLAG...
arm64_each() {
	local vl died='"verdict": "null-dereference"' tag='"verdict": "tag-mismatch"'
	for vl in 16 32 64 256; do
		"$1" "arm64-sve-$vl" vectors.c vectors "$died" "sve $vl" '' -O1
		"$1" "arm64-scaled-$vl" scaled.c scaled "$died" 3 "" -O2 -fomit-frame-pointer -march=armv8-a+sve "-DVL=$vl"
	done
	for vl in 16 32; do
		"$1" "arm64-ssve-$vl" vectors.c vectors "$died" "ssve $vl" '' -O1
		"$1" "arm64-za-$vl" vectors.c vectors "$died" "za $vl" '' -O1
		"$1" "arm64-both-$vl" vectors.c vectors "$died" "both $vl" '' -O1
		"$1" "arm64-zt-$vl" vectors.c vectors "$died" "zt $vl" '' -O1
	done
	"$1" arm64-tags-sync tags.c tags "$tag" sync '' -O1
	"$1" arm64-tags-async tags.c tags-late "$tag" async '' -O1
	"$1" arm64-tags-freed tags.c tags '"verdict": "use-after-free"' freed GLIBC_TUNABLES=glibc.mem.tagging=3 -O1
}

# arm64_declare NAME …: a core that the machine writes.
arm64_declare() {
	core "$1" "$arm64_tools" "native/$2 native/$3.truth native/machine-init" arm64_core "${@:2}"
}

# arm64_want NAME …: notes a core that is to be made, and how its program is called.
arm64_want() {
	local inputs why tool
	wanted "$1" && [ -z "$listing$showing$dry" ] || return 0
	for tool in $arm64_tools; do have "$tool" || return 0; done
	examine "$1" "$arm64_tools" "native/$2 native/$3.truth native/machine-init" arm64_core "${@:2}"
	[ -n "$why" ] || return 0
	arm64_wanted+=("$@" '')
	arm64_programs+="$1 ${6:+env $6 }/programs.d/$1/${2%.c} $5"$'\n'
}

# arm64_core SOURCE TRUTH MEMBERS "ARG…" "VARIABLE…" FLAG...: finishes a core that the machine has written.
arm64_core() {
	local source=$1 truth=$2 members=$3 args=$4 out=$LIVE/arm64/out/$name
	: arm64_machine arm64_compile arm64_guest # which ran before
	echo "${5:+$5 }${source%.c} $args, in a machine: make.d/arm64.sh" >>made.txt
	[ -f "$out/core" ] && cp "$out"/* . && cp "$LIVE/arm64/initramfs.d/programs.d/$name"/* . || return
	cat "$LIVE/arm64/$name.made" >>made.txt
	extra="\"args\": [\"-search\", \".\"], $members"
	GDB=gdb-multiarch finish "$truth" "${source%.c}"
}

# arm64_machine: compiles what is wanted, and has it run.
arm64_machine() (
	set +e
	at=$LIVE/arm64 native=$here/sources/native staged=$here/sources
	mkdir -p "$at"
	cd "$at" || exit
	exec 2>>log
	[ -e qemu.done ] || { rm -rf qemu && mkdir qemu && (cd qemu && debian_packages amd64 "$arm64_suites" && debian_install qemu-system-arm) && touch qemu.done; } || exit
	[ -e guest.done ] || { rm -rf guest && mkdir guest && (cd guest && debian_packages arm64 "$arm64_suites" && arm64_guest) && touch guest.done; } || exit
	guest=guest/root qemu=qemu/root # what was unpacked
	rm -rf initramfs.d out
	mkdir -p initramfs.d/{bin,proc,dev,tmp,programs.d} out
	arm64_compile "${arm64_wanted[@]}" || exit
	printf %s "$arm64_programs" >initramfs.d/programs
	cp "$guest/usr/bin/busybox" initramfs.d/bin/ || exit
	install -m 755 "$native/machine-init" initramfs.d/init
	(cd initramfs.d && find . | cpio -o -H newc 2>/dev/null | gzip -1) >initramfs
	lib=$PWD/$qemu/usr/lib/x86_64-linux-gnu
	timeout 300 "$lib/ld-linux-x86-64.so.2" --library-path "$lib:$lib/pulseaudio" "$qemu/usr/bin/qemu-system-aarch64" -L "$qemu/usr/share/qemu" \
		-M virt,mte=on,gic-version=3 -cpu max,pauth-impdef=on -m 512M -nographic -no-reboot -net none \
		-kernel "$(find "$guest" -name 'vmlinuz*' | head -1)" -initrd initramfs -append 'console=ttyAMA0 quiet panic=-1' </dev/null | tr -d '\r' >console
	awk '/^== /{f = "out/" $2 ".b64"; next} /^==$/{close(f); f = ""} f{print > f}' console
	for b in out/*.b64; do base64 -d "$b" | tar -xz -C out; done
	rm -f out/*.b64 initramfs
	grep -q '^done' console || { echo "the machine did not come to its end" >>log; exit 1; }
)

# arm64_compile NAME SOURCE TRUTH MEMBERS ARG VARIABLE FLAG... '' NAME …
arm64_compile() {
	local dir=$PWD out source flags
	while [ $# -gt 0 ]; do
		out=$1 source=$2 flags=()
		shift 6
		while [ -n "$1" ]; do flags+=("$1"); shift; done
		shift
		: >made.txt
		mkdir "initramfs.d/programs.d/$out"
		CC=aarch64-linux-gnu-gcc c "initramfs.d/programs.d/$out/${source%.c}" -g -static "${flags[@]}" "$native/$source" || return
		mv made.txt "$out.made"
	done
}

# arm64_guest: a kernel, and a busybox. The kernel's package has changed its name.
arm64_guest() {
	local kernel
	kernel=$(APT_CONFIG=$PWD/apt/conf apt-cache depends --recurse --no-recommends --no-suggests linux-image-cloud-arm64 |
		grep -oE '^ *linux-(image|binary)-[0-9][^ ]*' | sort -u)
	# shellcheck disable=SC2086 # a list
	debian_unpack $kernel busybox-static
}
