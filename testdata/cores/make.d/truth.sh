# truth.sh: an expectation file (sources/README.md) as truth.json. Sourced by make.

# truth_json FILE VARIABLE=VALUE...: prints the JSON. The variables are name, exe, n (for
# each:N), needs, note, extra and source.
truth_json() {
	local file=$1 one set=()
	shift
	for one; do set+=(-v "$one"); done
	awk "${set[@]}" '
function quote(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}
function flush_thread() {
	if (who == "")
		return
	threads = threads (threads == "" ? "" : ",\n") "    {\"who\": " quote(who) ",\n     \"frames\": [" frames "]"
	if (lines ~ /[a-z]/)
		threads = threads ",\n     \"lines\": [" lines "]"
	if (stop != "")
		threads = threads ",\n     \"stop\": " quote(stop)
	threads = threads "}"
	who = frames = lines = stop = ""
}
function member(key, value) {
	if (value != "")
		printf ",\n  %s: %s", quote(key), quote(value)
}

/^#/ || /^$/ { next }
/^thread / {
	flush_thread()
	who = $2
	sub(/:N$/, ":" n, who)
	next
}
/^stop / { stop = $2; next }
/^never / { never = never (never == "" ? "" : ", ") quote(substr($0, 7)); next }
{
	frame = $0
	line = ""
	if (match(frame, / @ [^ ]+:[0-9]+$/)) {
		line = substr(frame, RSTART + 3)
		frame = substr(frame, 1, RSTART - 1)
	}
	frames = frames (frames == "" ? "" : ", ") quote(frame)
	lines = lines (lines == "" ? "" : ", ") quote(line)
}
END {
	flush_thread()
	printf "{\n  \"name\": %s,\n  \"core\": \"core\"", quote(name)
	member("exe", exe)
	member("needs", needs)
	member("note", note)
	member("source", source)
	if (never != "")
		printf ",\n  \"never\": [%s]", never
	if (extra != "")
		printf ",\n  %s", extra
	printf ",\n  \"threads\": [\n%s\n  ]\n}\n", threads
}
' "$file"
}
