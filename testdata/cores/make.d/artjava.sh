# artjava.sh: ART with Android's own libcore as its boot class path, and programs in Java. Debian has libcore's source beside
# its Android tools, and in bullseye the compiler dx. Sourced by make, after art.sh.

# sum_of PATH…: of the files there, by which what is made of them is kept.
sum_of() {
	(cd "$art" && find "$@" -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-8)
}

# art_libcore: libcore's classes as smali and the compiler dx, in $art_libcore.
art_libcore() {
	art_libcore=$ART/libcore-$(declare -f art_libcore_made | sha256sum | cut -c1-8)
	locked "$art_libcore" art_libcore_made
}

art_libcore_made() {
	local part list=()
	[ ! -e "$art_libcore/done" ] || return 0
	rm -rf "$art_libcore" && mkdir -p "$art_libcore" && (
		cd "$art_libcore" && mkdir -p src classes &&
			debian_packages amd64 bullseye && debian_unpack dalvik-exchange libecj-java &&
			debian_source bullseye android-platform-libcore && rm -rf apt && tar xf android-platform-libcore_*.orig.tar.gz -C src || exit
		for part in ojluni luni dalvik libart; do list+=("src/$part/src/main/java"); done
		# Classes that want ICU have errors, which throw when they are run.
		find "${list[@]}" -name '*.java' ! -name package-info.java >list
		java -cp root/usr/share/java/ecj.jar org.eclipse.jdt.internal.compiler.batch.Main -proceedOnError -nowarn -source 1.8 \
			-target 1.8 -g -bootclasspath none -d classes @list >ecj.log 2>&1
		cp -L root/usr/share/java/com.android.dx.jar dx.jar && art_dx classes libcore.dex &&
			baksmali disassemble -a 28 -o smali libcore.dex && rm -rf src classes root ./*.tar.* ./*.dsc libcore.dex && touch "done"
	) >"$art_libcore.log" 2>&1 || {
		say "no libcore: $(tail -1 "$art_libcore.log")"
		return $left_out
	}
}

# art_dx CLASSES DEX
art_dx() {
	java -cp "$art_libcore/dx.jar" com.android.dx.command.Main --dex --core-library --min-sdk-version=28 --output="$2" "$1"
}

# art_java_app: the compiled programs, in $art_java_app.
art_java_app() {
	art_java_app=$art_libcore/app-$(sum_of java)
	locked "$art_java_app" art_java_app_made
}

art_java_app_made() {
	[ ! -e "$art_java_app/app.dex" ] || return 0
	rm -rf "$art_java_app" && mkdir -p "$art_java_app/classes" &&
		javac -nowarn -g --release 8 -d "$art_java_app/classes" $(find "$art/java" -name '*.java') >"$art_java_app.log" 2>&1 &&
		art_dx "$art_java_app/classes" "$art_java_app/new.dex" >>"$art_java_app.log" 2>&1 &&
		rm -rf "$art_java_app/classes" && mv "$art_java_app/new.dex" "$art_java_app/app.dex"
}

# art_libcore_boot: libcore as the boot class path of art_folder's version, and the libraries beneath it, in $art_boot_at.
art_libcore_boot() {
	art_boot_at=$art_libcore/$version-$(sum_of libcore)
	locked "$art_boot_at" art_libcore_boot_made
}

art_libcore_boot_made() {
	local lib jni
	[ ! -e "$art_boot_at/boot.dex" ] || return 0
	rm -rf "$art_boot_at" && mkdir -p "$art_boot_at/lib" || return
	jni=$(dirname "$(find -L /usr/lib/jvm -name jni.h 2>/dev/null | head -1)")
	for lib in icu_jni javacore openjdk; do
		gcc -O1 -shared -fPIC -Wl,-soname,lib$lib.so -I"$jni" -I"$jni/linux" -o "$art_boot_at/lib/lib$lib.so" "$art/libcore/natives.c" -lm || return
	done
	python3 "$art/libcore/libcore.py" "$art_libcore/smali" "$art_boot_at/smali" "$version" &&
		smali assemble -a 28 -o "$art_boot_at/new.dex" "$art_boot_at/smali" && rm -rf "$art_boot_at/smali" &&
		mv "$art_boot_at/new.dex" "$art_boot_at/boot.dex"
}

# art_java_core VERSION CLASS HOW COUNT [ART-OPTION…]: one core of a class of sources/art/java. HOW is as for art_core.
art_java_core() {
	local version=$1 arch=amd64 class=$2 how=$3 count=$4
	local art_run art_at art_exe art_sysroot art_libcore art_java_app art_boot_at log=log.txt twin=() expect=()
	shift 4
	art_folder "$version" "$arch" && art_libcore && art_java_app && art_libcore_boot || return
	cp "$art_boot_at/boot.dex" "$art_java_app/app.dex" .
	art_run[0]=${art_run[0]/LD_LIBRARY_PATH=/LD_LIBRARY_PATH=$art_boot_at/lib:}
	set -- "${art_run[@]}" boot.dex:app.dex "$class" MODE "$count" -Xms8m -Xmx32m -Xusejit:false -Xverify:none "$@"
	if [[ $how != dump+* ]]; then
		die_as dump+abort "$@" && mv out.txt twin.txt && rm -f core || return
		twin=(-twin) log=twin.txt
	fi
	die_as "$how" "$@" && mv out.txt log.txt || return
	[ ! -e "$art/java/${class%/*}/truth.json" ] || expect=("$art/java/${class%/*}/truth.json")
	sed -i "s|$ART/||g; s|LD_LIBRARY_PATH=[^ ]*|LD_LIBRARY_PATH=…|" made.txt
	python3 "$art/truth.py" "$name" "$art_exe" "$log" "${twin[@]}" version="$version" arch="$arch" program="${class##*/}" \
		how="${how#dump+}" "${expect[@]}" >truth.new && mv truth.new truth.json
}

# art_java NAME VERSION CLASS HOW COUNT [ART-OPTION…]
art_java() {
	core "$1" "$(art_tools "$2" amd64) baksmali javac" \
		"art/artrun.c art/stub.c art/boot.py art/boot art/patch14.py art/truth.py art/libcore art/java" art_java_core "${@:2}"
}

# art_java_cores: a name is art-VERSION-amd64-PROGRAM-CASE.
art_java_cores() {
	[ -n "$ART" ] || ART=$LIVE/art
	local version one
	for version in 10 11 14; do
		# threads that wait for each other, and of the last two cases one that waits for a task
		for one in classes:1 lazy:3 queue:6 latch:7 upgrade:8 task:22 counted:24; do
			art_java "art-$version-amd64-waits-${one%:*}" "$version" waits/Waits dump+killed "${one#*:}"
		done
		# natives that ART ends the process for, or that end the stack
		for one in globals:1 weak:2 fatal:3 deep:5 thread:6; do
			art_java "jni-$version-amd64-${one%:*}" "$version" bugs/Bugs jni "${one#*:}"
		done
		for one in stale:4 pending:7; do
			art_java "jni-$version-amd64-${one%:*}" "$version" bugs/Bugs jni "${one#*:}" -Xcheck:jni
		done
		art_java "art-$version-amd64-holders" "$version" leaks/Leaks dump+abort 12
		art_java "art-$version-amd64-shapes" "$version" shapes/Shapes dump+abort 0
	done
	art_faults
}

# art_fault_core VERSION CLASS HOW COUNT: art_java_core of a class of sources/art/faults, whose natives come beside libcore's.
art_fault_core() {
	local all=$art art=$PWD/sources
	cp -r "$all" sources && rm -rf sources/java && cp -r "$all/faults" sources/java && cat "$all/faults/natives.c" >>sources/libcore/natives.c &&
		art_java_core "$@" && rm -rf sources &&
		python3 "$all/faults/truth.py" log.txt truth.json >truth.new && mv truth.new truth.json
}

# art_faults: exceptions, deadlocks and hangs of many shapes, each by one version.
art_faults() {
	local one how=dump+abort versions=(10 11 14) n=0
	for one in thrown:4:proxy thrown:7:guarded thrown:8:getter thrown:9:either thrown:10:circle thrown:12:tangled thrown:14:wrapped thrown:22:none \
		traced:2:foreign traced:6:untraced traced:10:stripped traced:11:cause traced:31:finalizer traced:32:locked; do
		art_fault
	done
	how=dump+killed
	for one in stuck:2:three stuck:10:async stuck:15:phaser stuck:16:barrier stuck:34:dependent stuck:37:stamped \
		hung:2:timed hung:5:nap hung:7:constructor hung:8:initialiser hung:9:queue hung:109:again hung:17:task; do
		art_fault
	done
	one=vals:0:all how=dump+abort
	art_fault
}

# art_fault: the core of PROGRAM:COUNT:CASE in $one, by the next of the versions.
art_fault() {
	local program count version=${versions[n++ % 3]}
	IFS=: read -r program count _ <<<"$one"
	core "art-$version-amd64-$program-${one##*:}" "$(art_tools "$version" amd64) baksmali javac" \
		"art/artrun.c art/stub.c art/boot.py art/boot art/patch14.py art/truth.py art/libcore art/faults" \
		art_fault_core "$version" "$program/${program^}" "$how" "$count"
}
