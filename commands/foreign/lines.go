package foreign

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
)

// optional is a command whose operand is a decimal number, if there is one.
func optional(command string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		if len(o.args) > 0 {
			if n, err := strconv.ParseUint(o.args[0], 10, 63); err == nil {
				return command + " " + strconv.FormatUint(n, 10), o.args[1:]
			}
			return "", nil
		}
		return command, nil
	}
}

// moved is "up" or "down" by a number of frames.
func moved(sign string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		n := 1
		if len(o.args) > 0 {
			var err error
			if n, err = strconv.Atoi(o.args[0]); err != nil || n < 0 {
				return "", nil
			}
			return "::frame -" + sign + " " + strconv.Itoa(n), o.args[1:]
		}
		return "::frame -" + sign + " " + strconv.Itoa(n), nil
	}
}

// analyzeLine says all that ::analyze knows, as WinDbg does with -v.
func analyzeLine(o operands) (string, []string) {
	return "::analyze", slices.DeleteFunc(slices.Clone(o.args), func(a string) bool { return a == "-v" })
}

func frameLine(o operands) (string, []string) {
	args := slices.DeleteFunc(slices.Clone(o.args), func(a string) bool { return a == "level" || a == "/c" })
	if len(args) == 0 {
		return "::frame", nil
	}
	if args[0] == "function" && len(args) > 1 {
		return "::frame -f " + quoted(args[1]), args[2:]
	}
	n, err := strconv.ParseUint(args[0], o.base, 31)
	if err != nil {
		return "", nil
	}
	return "::frame " + strconv.Itoa(int(n)), args[1:]
}

// selectFrame chooses a frame without showing it.
func selectFrame(o operands) (string, []string) {
	line, left := frameLine(o)
	if len(o.args) == 0 || line == "" {
		return line, left
	}
	return strings.Replace(line, "::frame", "::frame -q", 1), left
}

// variables are all variables of a frame, or the named ones.
func variables(o operands) (string, []string) {
	var names, left []string
	for _, a := range o.args {
		if strings.HasPrefix(a, "-") || strings.HasPrefix(a, "/") || !isExpression(a) {
			left = append(left, a)
			continue
		}
		names = append(names, quoted(a))
	}
	if len(names) == 0 {
		return "::locals", left
	}
	return "::print " + strings.Join(names, " "), left
}

// threadLine is "thread N": the id of the system, or a number from 1 in the order of
// ::threads.
func threadLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::thread", nil
	}
	n, err := strconv.ParseUint(o.args[0], 10, 31)
	if err != nil || n == 0 {
		return "", nil
	}
	return "::thread -n " + strconv.Itoa(int(n)), o.args[1:]
}

// infoLine is the instructions of a line, which a number, a place, a function or an address says.
func infoLine(o operands) (string, []string) {
	const extent = "::source -x"
	switch text := strings.Join(o.args, " "); {
	case text == "":
		return extent, nil
	case isNumber(text):
		return extent + " " + quoted(":"+text), nil
	case strings.HasPrefix(text, "*"):
		return "::print -- " + quoted(text[1:]) + " | " + extent, nil
	default:
		return extent + " " + quoted(o.args[0]), o.args[1:]
	}
}

// addressLine is where a name is: gdb's "info address".
func addressLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "", nil
	}
	return placeLine(o.args, o.base)
}

// placeLine is where a function, a line or an address is.
func placeLine(args []string, base int) (string, []string) {
	if _, _, ok := lang.FileLine(args[0]); ok || isName(args[0]) && register(args[0], "") == "" {
		return "::lookup " + quoted(args[0]), args[1:]
	}
	return whatisLine(operands{args: args, base: base})
}

// isName reports whether an operand is a name of the program, such as "Pool::run" or "main.main", and no expression.
func isName(text string) bool {
	return text != "" && (text[0] < '0' || text[0] > '9') && !strings.ContainsAny(text, "$@%()+-*/&|^!=?;<>[]{}'\"`, ")
}

// dumpLine is bytes and text of memory: "memory read 0x1000 0x1040", "db 1000 L40".
func dumpLine(o operands) (string, []string) {
	if l, ok := lldbExamine(o); ok {
		return examineLine(l)
	}
	var at string
	var left []string
	for i, a := range o.args {
		valued := i > 0 && slices.Contains([]string{"-c", "-s", "-f", "-o", "-l", "-t"}, o.args[i-1]) // of lldb
		if strings.HasPrefix(a, "-") || valued || at != "" {
			left = append(left, a)
			continue
		}
		if at = operand(a, o.base); at == "" {
			return "", nil
		}
	}
	if at == "" {
		return "", nil
	}
	return at + "::dump", left
}

// windowsMemory is WinDbg's dq and its like.
func windowsMemory(o operands) (string, []string) {
	letter := map[string]string{"dd": "X", "dq": "J", "dw": "x", "da": "s", "du": "s", "dps": "p", "dqs": "p",
		"dds": "p", "dp": "K"}[o.word]
	if len(o.args) == 0 || letter == "" {
		return "", nil
	}
	at, count, left := operand(o.args[0], 16), ",8", o.args[1:]
	if at == "" {
		return "", nil
	}
	if len(left) > 0 && len(left[0]) > 1 && (left[0][0] == 'L' || left[0][0] == 'l') {
		if n, err := strconv.ParseUint(left[0][1:], 16, 31); err == nil {
			count, left = ","+radix10(int(n)), left[1:]
		}
	}
	if letter == "s" {
		count = ""
	}
	return at + count + "/" + letter, left
}

// printOperands returns the words of the expression, the format letters, the options for ::print, and the options that
// have no counterpart.
func printOperands(o operands) (args []string, format, options string, left []string) {
	args = slices.Clone(o.args)
	format = strings.TrimLeft(o.format, "0123456789")
	if format != o.format {
		left = append(left, "/"+o.format[:len(o.format)-len(format)])
	}
	for len(args) > 0 && (strings.HasPrefix(args[0], "/") || args[0] == "--" ||
		len(args) > 1 && len(args[0]) == 2 && args[0][0] == '%' ||
		len(args) > 1 && isPrintOption(args[0])) {
		letter, limits := printLimits[args[0]]
		if f, ok := strings.CutPrefix(args[0], "/"); ok {
			format = f
		} else if f, ok := strings.CutPrefix(args[0], "%"); ok { // delve's
			format = f
		} else if f, ok := strings.CutPrefix(args[0], "-f"); ok && len(f) == 1 {
			format = f
		} else if limits && len(args) > 2 && isNumber(args[1]) {
			options += " " + letter + " " + args[1]
			args = args[1:]
		} else if len(args) > 2 && (args[1] == "on" || args[1] == "off") {
			args = args[1:]
		}
		args = args[1:]
	}
	return args, format, options, left
}

// printLine is the value of an expression, as ::print evaluates it.
func printLine(o operands) (string, []string) {
	args, format, options, left := printOperands(o)
	text := strings.Join(args, " ")
	if len(args) == 2 && args[0] == "*" {
		text = strings.Join(args, "")
	}
	if format = strings.Trim(format, "bhwgr"); len(format) == 1 && strings.Contains(printLetters, format) {
		options += " -f " + format
	} else if format != "" {
		left = append(left, "/"+format)
	}
	if text == "" {
		return "", nil
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		options += " --"
	}
	return "::print" + strings.Replace(options, "-f x", "-x", 1) + " " + quoted(text), left
}

// printLetters are the formats of gdb's "p/x" that ::print -f has.
const printLetters = "xduotcafzs"

// printOptions are gdb's for "print" (GDB manual, "Data"); lldb's for "expression" are letters.
var printOptions = []string{"-array", "-array-indexes", "-elements", "-max-depth", "-nibbles", "-null-stop", "-object",
	"-pretty", "-raw-values", "-repeats",
	"-static-members", "-symbol", "-union", "-vtbl", "-O", "-T", "-L", "-R", "-P", "-Y", "-fx", "-fd", "-fu",
	"-ft", "-fc", "-fo"}

func isPrintOption(text string) bool { return slices.Contains(printOptions, text) }

// printLimits are the options of ::print for gdb's options that take a number.
var printLimits = map[string]string{"-elements": "-l", "-max-depth": "-d", "-depth": "-d"}

func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 0, 64)
	return err == nil
}

// isExpression reports whether ::print may read a text: names with members, elements
// and stars, and no operators.
func isExpression(text string) bool {
	name := strings.TrimLeft(text, "*")
	if name == "" || name[0] >= '0' && name[0] <= '9' || strings.ContainsAny(name, "$()+/%|^!=?@;`{}") {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(name, "->", ""), "-")
}

// quoted is a text as one operand: a name as it is, other texts in quotes.
func quoted(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "" {
		return text
	}
	return lang.Quote(text)
}

func whatisLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "", nil
	}
	for len(o.args) > 1 && strings.HasPrefix(o.args[0], "-") { // lldb's word before a name or an address
		o.args = o.args[1:]
	}
	text := strings.TrimPrefix(o.args[0], "*")
	if at := operand(text, o.base); at != "" && (o.base == 16 || register(text, "") != "" || sumOf(text) != "") {
		return at + "::whatis", o.args[1:]
	}
	if isName(text) {
		return "::lookup " + quoted(text), o.args[1:]
	}
	return "::print -- " + quoted(strings.TrimPrefix(strings.Join(o.args, " "), "*")) + " | ::whatis", nil
}

// searchSymbols lists the symbols of a type whose names match.
func searchSymbols(kind string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		line, args := "::nm -C -t "+kind, o.args
		for len(args) > 0 && (args[0] == "-q" || args[0] == "-n") { // -n: only symbols with debugging information
			args = args[1:]
		}
		if len(args) == 0 {
			return line, nil
		}
		return line + " -r " + quoted(args[0]), args[1:]
	}
}

// retainersLine shows the holders of an object, or the largest holders of memory.
func retainersLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::dominators", nil
	}
	return addressed("::gcroot")(o)
}

// addressed is a command about the object at an address.
func addressed(command string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		for i, a := range o.args {
			at := operand(a, 16)
			switch left := append(slices.Clone(o.args[:i]), o.args[i+1:]...); {
			case strings.HasPrefix(a, "-"):
			case number(a, 16) != "" || register(a, "") != "":
				return at + command, left
			default: // a name of the program
				return "::jsprint -b " + quoted(a) + " | " + command, left
			}
		}
		return "", nil
	}
}

func findObjects(o operands) (string, []string) {
	if len(o.args) == 1 && isExpression(o.args[0]) {
		return "::findjsobjects -c " + quoted(o.args[0]), nil
	}
	return "::findjsobjects", o.args
}

// searchText is a text, not an address.
func searchText(o operands) (string, []string) {
	var left []string
	args := o.args
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		left, args = append(left, args[0]), args[1:]
	}
	text := strings.Trim(strings.Join(args, " "), `"`)
	if text == "" || strings.ContainsAny(text, "'\"\\") {
		return "", nil
	}
	return "::findstr '" + text + "'", left
}
