# ship.sh: the cores that the repository carries, as bundles beside make. Sourced by make.

# bundles COREDBG: one FILE.cdb for each line of the file "ship", and manifest.json.
bundles() {
	local coredbg=$1 file flags comma=''
	while read -r file name flags; do
		dir=$LIVE/$name
		if [ ! -s "$dir/truth.json" ]; then
			say "$name is not there: run make live first"
			return 1
		fi
		# shellcheck disable=SC2046,SC2086 # lists
		(cd "$dir" && "$coredbg" bundle $flags $(member_list args) -o "$here/$file.cdb" $(member exe) core) || return
	done < <(grep -v '^#' "$here/ship")
	{
		echo '['
		while read -r file name flags; do
			dir=$LIVE/$name
			printf '%s{"file": "%s.cdb", "bytes": %d, "sha256": "%s", "flags": "%s",\n "made": [%s],\n "truth": ' \
				"$comma" "$file" "$(stat -c %s "$here/$file.cdb")" "$(sha256sum <"$here/$file.cdb" | cut -d' ' -f1)" \
				"$flags" "$(quoted_lines "$dir/made.txt")"
			cat "$dir/truth.json"
			printf '}'
			comma=$',\n'
		done < <(grep -v '^#' "$here/ship")
		printf '\n]\n'
	} >"$here/manifest.json"
	du -ch "$here"/*.cdb | tail -1
}

# member KEY: a string member of the truth.json in $dir.
member() { sed -n "s/^ *\"$1\": \"\(.*\)\",*$/\1/p" "$dir/truth.json" | head -1; }

# member_list KEY: the words of a list of strings, written on one line.
member_list() { sed -n "s/^ *\"$1\": \[\(.*\)\],*$/\1/p" "$dir/truth.json" | tr -d '",'; }

# quoted_lines FILE: its lines as JSON strings.
quoted_lines() { awk '{gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0}' "$1"; }
