package foreign

import (
	"slices"
	"strconv"
	"strings"
)

// disassembleLine is a whole function, the one of the current frame without an operand.
func disassembleLine(o operands) (string, []string) {
	if line := countedCode(o); line != "" {
		return line, nil
	}
	options, args, left := codeOptions(o)
	from, to, ranged := strings.Cut(strings.Join(args, " "), ",")
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if ranged {
		return codeRange(from, to, options, o.base), left
	}
	if len(args) == 2 && slices.Contains(o.args, "-a") { // delve's
		if line := codeRange(args[0], args[1], options, o.base); line != "" {
			return line, left
		}
	}
	if len(args) == 0 {
		return "::dis -c" + options, left
	}
	at := operand(args[0], o.base)
	left = append(left, args[1:]...)
	switch {
	case at == "":
		return "::print -- " + quoted(from) + " | ::dis -c" + options, left[:len(left)-len(args)+1]
	case isName(at) && register(at, "") == "" && at[0] != '<':
		return "::dis" + options + " " + quoted(at), left
	}
	return at + "::dis -c" + options, left
}

// codeOptions turns options of gdb and lldb into options of ::dis. It returns them, the operands, and the rest.
func codeOptions(o operands) (options string, args, left []string) {
	source, bytes := strings.ContainsAny(o.format, "sm"), strings.Contains(o.format, "r")
	for i, a := range o.args {
		switch a {
		case "/s", "/m", "-m", "--mixed":
			source = true
		case "/r", "/b", "-b", "--bytes":
			bytes = true
		case "/rs", "/sr":
			source, bytes = true, true
		case "-f", "--frame", "-p", "-n", "--name", "-a", "-s", "-l":
			// lldb's and delve's words for the current frame, and before a name or an address
		default:
			if strings.HasPrefix(a, "/") || strings.HasPrefix(a, "-") && len(a) == 2 && i == 0 {
				left = append(left, a)
			} else {
				args = append(args, a)
			}
		}
	}
	if source {
		options = " -S"
	}
	if bytes {
		options += " -a"
	}
	return options, args, left
}

// codeRange is code from a place to another one: "main,+20" and "$pc-8,$pc+8". It returns "" for other places.
func codeRange(from, to, options string, base int) string {
	length, relative := strings.CutPrefix(to, "+")
	n, err := strconv.ParseUint(strings.TrimSpace(length), 0, 31)
	if !relative {
		low, high := splitSum(from), splitSum(to)
		if low.name != high.name || high.by < low.by {
			return ""
		}
		n, err = uint64(high.by-low.by), nil
	}
	if err != nil || from == "" {
		return ""
	}
	return "::print -- " + quoted(strings.TrimPrefix(from, "&")) + " | ::dis -l " + strconv.FormatUint(n, 10) + options
}

// A sum is a name with a number.
type sum struct {
	name string
	by   int64
}

// splitSum splits "$pc-8" into its name and its number.
func splitSum(text string) sum {
	if n, err := strconv.ParseUint(text, 0, 63); err == nil {
		return sum{"", int64(n)}
	}
	i := strings.LastIndexAny(text, "+-")
	if i <= 0 {
		return sum{text, 0}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text[i+1:]), 0, 63)
	if err != nil {
		return sum{text, 0}
	}
	if text[i] == '-' {
		n = -n
	}
	return sum{strings.TrimSpace(text[:i]), n}
}
