# art.sh: the Android Runtime from Debian's packages, started by sources/art/artrun.c
# on a boot class path of our own. Sourced by make.
#
# One folder $ART/VERSION-ABI holds the unpacked packages (root). A folder run-SUM in it
# holds the launcher and the boot class path, which the cores name; SUM is of their sources.
# ART's own dump of all stacks, which it writes on SIGQUIT just before the process dies, is
# the truth.

ART=${COREDBG_DEBIAN_ART:-}
art_classes="android androidx java lib libcore sun" # which the programs share
art_programs="demo calls throwing locks deep values graph loader proxy garbage statics screens locals natives"

# art_suite VERSION: the Debian release that has it.
art_suite() {
	case $1 in
	10) echo bullseye ;;
	11) echo bookworm ;;
	14) echo trixie ;;
	esac
}

# art_fetch VERSION ARCH: packages of another release or architecture, by apt with
# an empty state of its own, unpacked into ./root. Nothing is installed.
art_fetch() {
	local suite packages=(android-libart android-libbacktrace android-libbase android-liblog android-libziparchive
		android-libnativebridge android-libnativeloader android-libnativehelper liblz4-1 libatomic1)
	suite=$(art_suite "$1")
	case $suite in
	bullseye) packages+=(android-libunwind p7zip-full) ;; # and the machine's libc
	bookworm) packages+=(p7zip-full libc6 libstdc++6 libgcc-s1 zlib1g) ;;
	trixie) packages+=(7zip libtinyxml2-11 liblzma5 libcap2 libc6 libstdc++6 libgcc-s1 zlib1g) ;;
	esac
	[ "$2" != i386 ] || packages+=(libc6-dev libgcc-12-dev linux-libc-dev libcrypt-dev)
	debian_packages "$2" "$suite" && debian_unpack "${packages[@]}" || return
	rm -rf root/usr/share root/usr/bin root/etc
}

# art_dex DIR NAME SOURCE…: smali to NAME.dex, and the same in NAME.jar.
art_dex() {
	local to=$1 name=$2
	shift 2
	rm -f "$to/$name.dex"
	smali assemble -a 28 -o "$to/$name.dex" "$@" && [ -s "$to/$name.dex" ] || return # it fails with 0
	(cd "$to" && cp "$name.dex" classes.dex && rm -f "$name.jar" && python3 -m zipfile -c "$name.jar" classes.dex && rm classes.dex)
}

# art_folder VERSION ARCH: makes $ART/VERSION-ARCH, and sets art_run (the command that runs
# the launcher), art_at (its folder), art_exe and art_sysroot.
art_folder() {
	local version=$1 arch=$2 at=$ART/$1-$2 root=$ART/$1-$2/root triple cc=gcc dirs=() dir qemu='' loader='' path
	case $arch in
	amd64) triple=x86_64-linux-gnu loader=ld-linux-x86-64.so.2 ;;
	i386) triple=i386-linux-gnu loader=ld-linux.so.2 cc="clang --target=i386-linux-gnu --sysroot=$root" ;;
	arm64) triple=aarch64-linux-gnu cc=$triple-gcc qemu=qemu-aarch64 ;;
	armhf) triple=arm-linux-gnueabihf cc=$triple-gcc qemu=qemu-arm ;;
	esac
	locked "$at/root" art_root || return
	for dir in usr/lib/$triple/android usr/lib/$triple lib/$triple usr/lib/p7zip usr/lib/7zip; do
		[ ! -d "$root/$dir" ] || dirs+=("$root/$dir")
	done
	art_at=$at/run-$(cat "$art"/artrun.c "$art"/stub.c "$art"/boot.py "$art"/boot/* | sha256sum | cut -c1-8)
	art_exe=$art_at/artrun
	art_sysroot=${qemu:+$root}
	locked "$art_at" art_launcher && locked "$art_at" art_boot || return
	path=$art_at/lib${jit:+:$dir/jit}$(printf ':%s' "${dirs[@]}")
	if [ -n "$qemu" ]; then
		art_run=("$qemu" -L "$root" -E "LD_LIBRARY_PATH=$path" "$art_exe")
	else
		art_run=(LD_LIBRARY_PATH="$path" "$art_exe")
	fi
}

# art_root: the unpacked packages of art_folder's version and arch. Packages that could not
# be had are not asked for again by the same run.
art_root() {
	local sum
	sum=$(sha256sum <"$art/patch14.py")
	[ "$(cat "$at/root.done" 2>/dev/null)" != "$sum" ] || return 0
	[ "$(cat "$at/root.missing" 2>/dev/null)" != $$ ] || return $left_out
	rm -rf "$root"
	(cd "$at" && art_fetch "$version" "$arch") >"$at/fetch.log" 2>&1 || {
		say "no ART $version for $arch: $(tail -1 "$at/fetch.log")"
		echo $$ >"$at/root.missing"
		return $left_out
	}
	[ "$version-$arch" != 14-amd64 ] || python3 "$art/patch14.py" "$root/usr/lib/$triple/android/libart.so.0" || return
	echo "$sum" >"$at/root.done"
}

# art_launcher: artrun and the libraries that libart looks for, for art_folder's version and arch.
art_launcher() {
	local lib jni flags more=(icu_jni javacore openjdk)
	[ ! -e "$art_exe" ] || return 0
	mkdir -p "$art_at/lib"
	jni=$(dirname "$(find -L /usr/lib/jvm -name jni.h 2>/dev/null | head -1)")
	case $version in
	10) more+=(nativehelper) ;; # one of this name, beside libnativehelper.so.0
	esac
	for lib in "${more[@]}"; do
		$cc -O1 -shared -fPIC -Wl,-soname,lib$lib.so -I"$jni" -I"$jni/linux" -o "$art_at/lib/lib$lib.so" "$art/stub.c" || return
	done
	flags=(-l:libsigchain.so.0 -l:libart.so.0 -l:libbase.so.0 -l:liblog.so.0 -l:libziparchive.so.0 -l:libbacktrace.so.0
		-l:libnativebridge.so.0 -l:libnativehelper.so.0 -l:libnativeloader.so.0 -l:liblz4.so.1 "${more[@]/#/-l}")
	case $version-$arch in
	14-*) flags+=(-l:libtinyxml2.so.11 -l:libcpu_features.so.0) ;;
	*-i386 | *-armhf) flags+=(-l:libatomic.so.1) ;;
	esac
	if [ -n "$loader" ]; then
		for dir in usr/lib/$triple lib/$triple lib; do
			[ ! -e "$root/$dir/$loader" ] || flags+=("-Wl,--dynamic-linker=$root/$dir/$loader")
		done
	fi
	$cc -g -O1 -fno-omit-frame-pointer -rdynamic "-ffile-prefix-map=$art=." "-ffile-prefix-map=$PWD=." -I"$jni" -I"$jni/linux" \
		-o "$art_exe.new" "$art/artrun.c" -L"$art_at/lib" "${dirs[@]/#/-L}" -Wl,--no-as-needed,--allow-shlib-undefined "${flags[@]}" -ldl &&
		mv "$art_exe.new" "$art_exe"
}

# art_boot: the boot class path of art_folder's version.
art_boot() {
	[ ! -e "$art_at/boot.jar" ] || return 0
	rm -rf "$art_at/smali"
	python3 "$art/boot.py" "$version" "$art_at/smali" && art_dex "$art_at" boot "$art_at/smali" && rm -rf "$art_at/smali"
}

# art_apps PROGRAM: sets art_app to a folder with the program and the classes that all
# programs share as dex files, the same for all versions. app.jar has extra.dex as its
# classes2.dex.
art_apps() {
	art_app=$ART/app/$1-$(cd "$art" && find app extra -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-8)
	locked "$art_app" art_app
}

art_app() {
	[ ! -e "$art_app/app.jar" ] || return 0
	mkdir -p "$art_app"
	art_dex "$art_app" extra "$art/extra" && art_dex "$art_app" app "$art/app" &&
		(cd "$art_app" && cp app.dex classes.dex && cp extra.dex classes2.dex &&
			python3 -m zipfile -c app.new classes.dex classes2.dex && rm classes.dex classes2.dex && mv app.new app.jar)
}

# art_tools VERSION ARCH: the commands it takes.
art_tools() {
	echo smali java python3 apt-get dpkg-deb
	case $2 in
	amd64) echo gcc ;;
	i386) echo clang ;;
	arm64) echo aarch64-linux-gnu-gcc qemu-aarch64 ;;
	armhf) echo arm-linux-gnueabihf-gcc qemu-arm ;;
	esac
}

# art_core VERSION ARCH PROGRAM HOW COUNT [ART-OPTION…]: one core. HOW is
# artrun's mode; where it has no "dump+", another run has, and has the stacks.
# jar=yes keeps the dex files inside the core.
art_core() {
	local version=$1 arch=$2 program=$3 how=$4 count=$5 class dex=dex log=log.txt twin=() args=() expect=() names=() n
	local art_run art_at art_exe art_sysroot art_app
	shift 5
	art_folder "$version" "$arch" && art_apps "$program" || return
	[ -z "${jit:-}" ] || { mkdir jit && cp "$jit" jit/; } || return
	class=$program/${program^}
	[ "$program" != hot ] || class=$class,hot/Mid,hot/Low,hot/Bottom
	[ -z "${jar:-}" ] || dex=jar
	cp "$art_at/boot.$dex" "$art_app/app.$dex" .
	names=(boot.$dex app.$dex)
	if [ "$dex" = dex ] || [ "$program" = loader ]; then cp "$art_app/extra.dex" .; fi
	if [ "$dex" = dex ] && [ "$program" != loader ]; then names+=(extra.dex); fi
	n=$(IFS=:; echo "${names[*]}")
	set -- "${art_run[@]}" "$n" "$class" MODE "$count" -Xms8m -Xmx16m "$@"
	if [[ $how != dump+* ]]; then
		die_as dump+abort "$@" && mv out.txt twin.txt && rm -f core || return
		twin=(-twin) log=twin.txt
	fi
	die_as "$how" "$@" || return
	rm -rf jit
	[ ! -e out.txt ] || mv out.txt log.txt
	if [ -n "$art_sysroot" ]; then
		of_the_guest || return
		args=(-args "[\"-sysroot\", \"$art_sysroot\", \"-search\", \"$ART/$version-$arch\", \"-search\", \"$art_at\", \"-search\", \"$art_at/lib\"]")
	fi
	if [ "$count" = "$(art_count "$program")" ] && [ -e "$art/app/$program/truth.json" ]; then
		expect=("$art/app/$program/truth.json") # what it says is of that count
	fi
	if have eu-stack && [ "$arch" = amd64 ]; then
		timeout 20 eu-stack -n 1000 --core core -e "$art_exe" >eu.txt 2>&1 || rm -f eu.txt
	fi
	sed -i "s|$ART/||g; s|-L [^ ]* -E |-L … -E |; s|LD_LIBRARY_PATH=[^ ]*|LD_LIBRARY_PATH=…|" made.txt
	python3 "$art/truth.py" "$name" "$art_exe" "$log" "${args[@]}" "${twin[@]}" version="$version" arch="$arch" \
		program="$program" how="${how#dump+}" "${expect[@]}" >truth.new && mv truth.new truth.json
}

# die_as MODE COMMAND…: the word MODE in the command replaced.
die_as() {
	local mode=$1 words=() word
	shift
	for word; do
		if [ "$word" = MODE ]; then word=$mode; fi
		words+=("$word")
	done
	die "${words[@]}"
}

# one_art NAME VERSION ARCH PROGRAM HOW [ART-OPTION…]
one_art() {
	local shared='art/artrun.c art/stub.c art/boot.py art/boot art/patch14.py art/truth.py art/extra' classes
	for classes in $art_classes; do shared+=" art/app/$classes"; done
	core "$1" "$(art_tools "$2" "$3")" "$shared art/app/$4" art_core "${@:2:4}" "$(art_count "$4")" "${@:6}"
}

# art_count PROGRAM: what its main is called with.
art_count() {
	case $1 in
	deep) echo 200 ;;
	fleet) echo 500 ;;
	garbage) echo 40000 ;;
	graph) echo 100 ;;
	statics | screens | locals) echo 6000 ;;
	natives) echo 100 ;;
	hot) echo 20000 ;;
	*) echo 0 ;;
	esac
}

# art_cores: the live set. A name is art-VERSION-ABI-PROGRAM, and how it differs.
art_cores() {
	[ -n "$ART" ] || ART=$LIVE/art
	local version arch program
	for version in 10 11 14; do
		for program in $art_programs; do
			one_art "art-$version-amd64-$program" "$version" amd64 "$program" dump+abort -Xusejit:false
		done
		for program in demo calls deep; do
			one_art "art-$version-amd64-$program-switch" "$version" amd64 "$program" dump+abort -Xint
		done
		one_art "art-$version-amd64-demo-segv" "$version" amd64 demo segv -Xusejit:false
		one_art "art-$version-amd64-demo-abort" "$version" amd64 demo abort -Xusejit:false
		# Not of the kind of the others: while it aborts the runtime stops threads and wakes
		# those that sleep, so that a twin's dump is no truth of them.
		one_art "jni-$version-amd64" "$version" amd64 demo jni -Xusejit:false
		one_art "art-$version-amd64-locks-killed" "$version" amd64 locks dump+killed -Xusejit:false
		# of which one thread runs on and on, by each interpreter
		one_art "art-$version-amd64-demo-killed" "$version" amd64 demo dump+killed -Xusejit:false
		one_art "art-$version-amd64-demo-killed-switch" "$version" amd64 demo dump+killed -Xint
		for program in demo values graph; do
			jar=yes one_art "art-$version-amd64-$program-jar" "$version" amd64 "$program" dump+abort -Xusejit:false
		done
		one_art "art-$version-amd64-fleet" "$version" amd64 fleet dump+abort -Xusejit:false
		one_art "art-$version-amd64-uncaught" "$version" amd64 uncaught dump+abort -Xusejit:false
		one_art "art-$version-amd64-causes" "$version" amd64 causes dump+abort -Xusejit:false
		# the longer list that it wants is too long, so that there is room for the exception
		one_art "art-$version-amd64-filled" "$version" amd64 filled dump+abort -Xusejit:false -Xmx11m
		one_art "art-$version-amd64-anr" "$version" amd64 anr dump+killed -Xusejit:false
		for program in values graph loader locks; do # with ART's own file of its heap
			one_art "art-$version-amd64-$program-hprof" "$version" amd64 "$program" dump+hprof+abort -Xusejit:false
		done
	done
	art_jit_cores
	for arch in i386 arm64 armhf; do
		for program in $art_programs; do
			# there ART dies of its own dump, where it looks for the class that a
			# synchronized static native method has locked
			[ "$arch-$program" != i386-calls ] || continue
			one_art "art-11-$arch-$program" 11 "$arch" "$program" dump+abort -Xusejit:false
		done
		one_art "art-11-$arch-demo-switch" 11 "$arch" demo dump+abort -Xint
		jar=yes one_art "art-11-$arch-graph-jar" 11 "$arch" graph dump+abort -Xusejit:false
		one_art "art-11-$arch-values-hprof" 11 "$arch" values dump+hprof+abort -Xusejit:false
	done
}

# Cores with compiled code, where somebody has put a libart-compiler.so of their
# own into $ART/VERSION-amd64: Debian's source package has it, but does not build
# it. A core's folder has a copy only while the program runs, so that bundles have
# nothing of it.
art_jit_cores() {
	local version program jit
	for version in 11 14; do
		jit=$ART/$version-amd64/libart-compiler.so
		[ -e "$jit" ] || continue
		for program in hot demo calls locks; do
			jar=yes one_art "art-$version-amd64-$program-jit" "$version" amd64 "$program" dump+abort -Xusejit:true -Xjitthreshold:0
		done
		# only debuggable code keeps all registers; nothing is inlined into it
		for program in deep values throwing; do
			jar=yes one_art "art-$version-amd64-$program-jit" "$version" amd64 "$program" dump+abort \
				-Xusejit:true -Xjitthreshold:0 -Xcompiler-option --debuggable -XjdwpProvider:none
		done
	done
}
