# ship.sh: the cores that the repository carries, as bundles beside make. Sourced by make.

# bundles COREDBG: one FILE.cdb for each line of the file "ship", what they share in
# the folder "files", and manifest.json.
# Those that FILTER leaves out, and those whose cores not everybody can make, stay
# as they are, with their rows.
bundles() {
	local coredbg=$1 file flags comma=''
	while read -r file name flags; do
		[[ $name =~ $FILTER ]] || continue
		dir=$LIVE/$name
		if [ ! -s "$dir/truth.json" ] && [ -e "$here/$file.cdb" ]; then
			say "$name is not there: its bundle stays as it is"
			continue
		elif [ ! -s "$dir/truth.json" ]; then
			say "$name is not there: run make live first"
			return 1
		fi
		# shellcheck disable=SC2046,SC2086 # lists
		(cd "$dir" && "$coredbg" bundle -force -share "$here/files" $flags $(member_list args) -o "$here/$file.cdb" $(member exe) core) || return
	done < <(grep -v '^#' "$here/ship")
	{
		echo '['
		while read -r file name flags; do
			printf '%s' "$comma"
			dir=$LIVE/$name
			if [[ $name =~ $FILTER ]] && [ -s "$dir/truth.json" ]; then
				row "$file" "$flags"
			else
				old_row "$file"
			fi
			comma=$',\n'
		done < <(grep -v '^#' "$here/ship")
		printf '\n]\n'
	} >"$here/manifest.new"
	mv "$here/manifest.new" "$here/manifest.json"
	du -ch "$here"/*.cdb "$here/files" | tail -1
	say "files of \"files\" that no bundle has are named by: go test ./internal/e2e -run TestCorpusShares"
}

# row FILE FLAGS: what manifest.json says of the core in $dir.
row() {
	printf '{"file": "%s.cdb", "bytes": %d, "sha256": "%s", "flags": "%s",\n "made": [%s],\n "truth": ' \
		"$1" "$(stat -c %s "$here/$1.cdb")" "$(sha256sum <"$here/$1.cdb" | cut -d' ' -f1)" \
		"$2" "$(quoted_lines "$dir/made.txt")"
	cat "$dir/truth.json"
	printf '}'
}

# old_row FILE: the row that manifest.json has.
old_row() {
	awk -v "head={\"file\": \"$1.cdb\"," '
		/^\{"file": / { mine = index($0, head) == 1 }
		/^\]$/ { mine = 0 }
		mine { text = text (text == "" ? "" : "\n") $0 }
		END { sub(/,$/, "", text); printf "%s", text }' "$here/manifest.json"
}

# member KEY: a string member of the truth.json in $dir.
member() { sed -n "s/^ *\"$1\": \"\(.*\)\",*$/\1/p" "$dir/truth.json" | head -1; }

# member_list KEY: the words of a list of strings, written on one line.
member_list() { sed -n "s/^ *\"$1\": \[\(.*\)\],*$/\1/p" "$dir/truth.json" | tr -d '",'; }

# quoted_lines FILE: its lines as JSON strings.
quoted_lines() { awk '{gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0}' "$1"; }
