# declare.sh: what a core is made of, whether it has to be made, and the jobs that make
# cores. Sourced by make.
#
# A core is declared by
#
#	core NAME "TOOL..." "SOURCE..." RECIPE [ARG...]
#
# RECIPE is a function that makes the core in the empty folder $dir. TOOL is a command that
# it needs. SOURCE is a file or folder below sources/: RECIPE sees a copy of the declared
# sources and of nothing else in sources/, as $native, $v8, $art and $macho. The truth is
# one of the sources, unless the program writes it.
#
# The inputs of a core are its call (RECIPE and ARGs), the settings below, the text of
# RECIPE and of the functions it calls, the sources, and the versions of the tools. They
# are kept in NAME/inputs. A core is made again if they differ. Comments, white space, the
# place of a declaration and other declarations are not inputs.
#
# A constant that a recipe reads is readonly, so that its value is an input. A function that
# declares a core, or is called *_cores, is never part of a recipe.

# The variables that may be set in front of a declaration.
settings=(CC needs truth verdict stack filter limit args arch jar jit of XCFLAGS)

# Commands that fetch, pack and inspect. Their versions do not change a core.
carriers=' apt-get bzip2 cpio dpkg-deb dwp dwz eu-readelf gzip lz4 make nm node npm python3 strip tar unshare xz Xvfb zip zipalign zstd '

listing='' showing='' dry='' known='' had=0 running=0 results=''
declare -A set_names=() file_sums=() source_sums=() function_bodies=() recipe_sums=() tool_stamps=()

# wanted NAME: reports whether FILTER, a regular expression or @FILE, has the name.
wanted() {
	case $FILTER in
	@*) [ -n "${set_names[$1]:-}" ] ;;
	*) [[ $1 =~ $FILTER ]] ;;
	esac
}

# read_set: reads the names of a FILTER that is @FILE.
read_set() {
	local line
	[ "${FILTER:0:1}" = @ ] || return 0
	[ -f "${FILTER:1}" ] || { say "there is no set ${FILTER:1}"; exit 2; }
	while read -r line; do
		[ -z "$line" ] || [ "${line:0:1}" = '#' ] || set_names[$line]=yes
	done <"${FILTER:1}"
}

# check_filter: a FILTER that no name matches is a mistake. A set without names is not.
check_filter() {
	[ -z "$known" ] || return 0
	[ "${FILTER:0:1}" = @ ] && [ ${#set_names[@]} = 0 ] && return 0
	say "no core has a name that $FILTER wants"
	exit 2
}

core() {
	wanted "$1" || return 0
	known=yes
	if [ -n "$listing" ]; then
		echo "$1"
		return
	fi
	local why='' inputs=''
	examine "$@"
	if [ -n "$showing" ]; then
		printf '%s\n\t%s\n' "$1" "${inputs//$'\n'/$'\n\t'}"
	elif [ -z "$why" ]; then
		had=$((had + 1))
	elif [ -n "$dry" ]; then
		echo "$1: $why"
	elif has_tools "$1" $2; then
		start "$@"
	fi
}

# has_tools NAME TOOL...: reports whether all tools are here.
has_tools() {
	local core=$1 tool
	shift
	for tool; do
		have "$tool" || { say "$core is left out: no $tool"; echo "left-out $core" >>"$results"; return 1; }
	done
}

# examine NAME "TOOL..." "SOURCE..." RECIPE [ARG...]: sets inputs to the inputs, and why to
# the reason why the core has to be made. why is empty if it does not have to.
examine() {
	local core=$1 one REPLY before=''
	inputs="call ${*:4}"
	for one in "${settings[@]}"; do
		[ -z "${!one:-}" ] || inputs+=$'\n'"setting $one=${!one}"
	done
	recipe "${@:4}"
	inputs+=$'\n'"recipe $REPLY"
	for one in $3; do
		source_sum "$one"
		inputs+=$'\n'"source $one $REPLY"
	done
	for one in $2 libc; do
		stamp "$one"
		[ -z "$REPLY" ] || inputs+=$'\n'"tool $one $REPLY"
	done
	why=
	if [ ! -s "$LIVE/$core/truth.json" ] || ! { IFS= read -r -d '' before || true; } 2>/dev/null <"$LIVE/$core/inputs"; then
		why="it is not there"
	elif [ "$before" != "$inputs"$'\n' ]; then
		reason "$before"
	fi
}

# reason BEFORE: sets why to the kinds of inputs that BEFORE does not have as they are now.
reason() {
	local line
	while IFS= read -r line; do
		case $'\n'$1 in *$'\n'"$line"$'\n'*) continue ;; esac
		case $line in
		source*) line=${line% *} ;;
		tool*) line=${line#tool } line="version of ${line%% *}" ;;
		recipe*) line=recipe ;;
		esac
		why+="${why:+, }$line"
	done <<<"$inputs"
	why="changed: ${why:-an input is gone}"
}

# recipe WORD...: sets REPLY to a checksum of the functions among these words, of the
# functions that they call, and of the constants that all of them read.
recipe() {
	local LC_ALL=C names='' todo=() word text='' seen=' '
	for word; do [[ ! $word =~ ^[a-z_0-9]+$ || -z ${function_bodies[$word]:-} ]] || names+="$word "; done
	REPLY=${recipe_sums[$names]:-}
	[ -z "$REPLY" ] || return 0
	# shellcheck disable=SC2206 # words
	todo=($names)
	while [ ${#todo[@]} -gt 0 ]; do
		word=${todo[-1]}
		unset 'todo[-1]'
		[[ $seen != *" $word "* ]] || continue
		seen+="$word "
		if [ -n "${function_bodies[$word]:-}" ]; then
			text+=${function_bodies[$word]}$'\n'
			# shellcheck disable=SC2206 # words
			todo+=(${function_bodies[$word]//[^A-Za-z0-9_]/ })
		elif [[ $constants == *" $word "* ]]; then
			text+="$word=${!word}"$'\n'
		fi
	done
	REPLY=$(sha256sum <<<"$text")
	REPLY=${REPLY%% *}
	recipe_sums[$names]=$REPLY
}

# read_functions: reads the functions that recipes consist of, as bash prints them, and the
# names of constants. make calls it before it defines functions of its own.
read_functions() {
	local line name='' body='' declares=$'\n *([A-Za-z0-9_]+=[^ ]* )*core '
	while IFS= read -r line; do
		body+=$line$'\n'
		case $line in
		*' ()'*) [[ $line == ' '* ]] || name=${line%% *} ;;
		'}' | ')')
			[[ $name == *_cores || $machinery == *" $name "* || $body =~ $declares ]] || function_bodies[$name]=$body
			body=
			;;
		esac
	done < <(declare -f)
	constants=" $(readonly -p | sed -n 's/^declare -[a-zA-Z]* \([a-z][a-z0-9_]*\)=.*/\1/p' | tr '\n' ' ')"
}

# source_sum SOURCE: sets REPLY to a checksum of a file or folder below sources/.
source_sum() {
	local sum file
	if [ ${#file_sums[@]} = 0 ]; then
		while read -r sum file; do file_sums[$file]=$sum; done < <(cd "$here/sources" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum)
	fi
	REPLY=${file_sums[$1]:-${source_sums[$1]:-}}
	[ -z "$REPLY" ] || return 0
	[ -d "$here/sources/$1" ] || { say "there is no source $1"; exit 1; }
	REPLY=$(cd "$here/sources/$1" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum)
	REPLY=${REPLY%% *}
	source_sums[$1]=$REPLY
}

# stamp TOOL: sets REPLY to its version, and to nothing if that does not change a core.
stamp() {
	local command=()
	REPLY=${tool_stamps[$1]-unknown}
	[ "$REPLY" = unknown ] || return 0
	REPLY=
	case $1 in
	libc) command=(ldd --version) ;;
	go) command=(go version) ;;
	musl-gcc) command=(dpkg-query -W -f '${Version}\n' musl-dev) ;;
	int80) ;;
	*/*) command=(package_version "$1") ;;
	*) [[ $carriers == *" $1 "* ]] || command=("$1" --version) ;;
	esac
	[ ${#command[@]} = 0 ] || read -r REPLY < <("${command[@]}" 2>/dev/null </dev/null) || true
	tool_stamps[$1]=$REPLY
}

# package_version FILE: prints the version of the package that has the file.
package_version() {
	local package
	package=$(dpkg-query -S "$1") && dpkg-query -W -f '${Version}\n' "${package%%:*}"
}

# start NAME "TOOL..." "SOURCE..." RECIPE [ARG...]: makes the core in a job, once one of the
# jobs is free.
start() {
	while [ "$running" -ge "$jobs" ]; do
		wait -n || true
		running=$((running - 1))
	done
	job "$@" </dev/null &
	running=$((running + 1))
}

# job NAME "TOOL..." "SOURCE..." RECIPE [ARG...]: three tries at most. A thread that a
# debugger steps while the others stand still may wait for them forever, and ART's own
# dumper crashes now and then.
job() {
	local name=$1 began=$SECONDS status turn again=''
	local dir=$LIVE/$name staged=$LIVE/.sources/$name
	local native=$staged/native v8=$staged/v8 art=$staged/art macho=$staged/macho
	trap 'rm -rf "$staged"' EXIT
	stage "$3"
	for turn in 1 2 3; do
		status=0
		rm -rf "$dir"
		mkdir -p "$dir"
		if (cd "$dir" && : >made.txt && "${@:4}"); then break; else status=$?; fi
		[ $status != "$left_out" ] || break
		again=", try $((turn + 1))"
	done
	case $status in
	0)
		echo "$inputs" >"$dir/inputs"
		rm -rf "$LIVE/failed/$name"
		echo "made $name" >>"$results"
		echo "$name $(du -k "$dir"/*core* | awk '{n += $1} END {print n}')K $((SECONDS - began))s$again"
		;;
	"$left_out")
		say "$name is left out"
		rm -rf "$dir"
		echo "left-out $name" >>"$results"
		;;
	*) fail ;;
	esac
}

# left_out is the status of a recipe that lacks something that it cannot get.
readonly left_out=77

# fail: a core that could not be made does not stop the others. Its folder goes to
# LIVE/failed, where no test looks.
fail() {
	say "$name failed"
	echo "failed $name" >>"$results"
	mkdir -p "$LIVE/failed"
	rm -rf "${LIVE:?}/failed/$name"
	mv "$dir" "$LIVE/failed/"
}

# stage "SOURCE...": copies the declared sources to $staged.
stage() {
	local one
	rm -rf "$staged"
	mkdir -p "$native" "$v8" "$art" "$macho"
	for one in $1; do
		mkdir -p "$staged/$(dirname "$one")"
		cp -Rp "$here/sources/$one" "$staged/$(dirname "$one")/"
	done
}

# end_jobs: ends the jobs, and what they run. Jobs ignore the interrupt of a terminal, since
# bash starts them in the background.
end_jobs() {
	local below
	below=$(descendants $$)
	# shellcheck disable=SC2086 # a list
	kill -TERM $below 2>/dev/null || true
}

# descendants PID: prints the processes below a process.
descendants() {
	local child
	for child in $(pgrep -P "$1"); do
		echo "$child"
		descendants "$child"
	done
}

# finish_jobs: waits for the jobs.
finish_jobs() {
	wait
	running=0
}

# locked FILE COMMAND...: runs the command while no other job holds FILE, which several
# cores need and only one may make.
locked() {
	local file=$1
	shift
	mkdir -p "${file%/*}"
	{
		flock 9
		"$@" 9>&-
	} 9>"$file.lock"
}

# count KIND: how many results there are of a kind.
count() { grep -c "^$1 " "$results" || true; }

summary() {
	finish_jobs
	echo "made $(count made), had $had, left out $(count left-out), failed $(count failed), in $LIVE"
	[ "$(count failed)" = 0 ]
}

# The functions of this file are never part of a recipe.
machinery=" $(compgen -A function | tr '\n' ' ')"
