package commands

import (
	"slices"
	"strconv"
	"strings"
)

// stackLine is "bt" with a count: the innermost frames, or the outermost if it is negative.
func stackLine(o operands) (string, []string) {
	line, left := "::stack", []string(nil)
	for _, a := range o.args {
		n, err := strconv.ParseInt(a, o.base, 31)
		switch {
		case err == nil && n > 0 && line == "::stack":
			line = "::stack " + radix10(int(n))
		case err == nil && n < 0 && line == "::stack":
			line = "::stack | ::tail -n " + strconv.Itoa(int(-n))
		default:
			left = append(left, a)
		}
	}
	return line, left
}

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
	n, err := strconv.ParseUint(args[0], o.base, 31)
	if err != nil {
		return "", nil
	}
	return "::frame " + strconv.Itoa(int(n)), args[1:]
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

func registersLine(o operands) (string, []string) {
	switch {
	case len(o.args) == 0:
		return "::regs", nil
	case len(o.args) == 1:
		if line := register("$"+strings.TrimLeft(o.args[0], "$"), "=K"); line != "" {
			return line, nil
		}
	}
	return "::regs", o.args
}

func examineLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "", nil
	}
	text := strings.Join(o.args, "")
	path := strings.TrimPrefix(text, "&")
	if !isExpression(path) || strings.Trim(path, letters) == "" || strings.ContainsAny(path, "+") {
		return examine(o.format, text), nil
	}
	// A path of members.
	var left []string
	if o.format != "" && o.format != "s" {
		left = []string{"/" + o.format}
	}
	if path != text {
		return "::print -a " + quoted(path), left
	}
	return "::print " + quoted(path), left
}

// letters are the characters of names.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"

// infoLine is the place of a function or of an address, or the code of a line.
func infoLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::source", nil
	}
	if _, _, ok := FileLine(o.args[0]); ok && !strings.Contains(o.args[0], "'") {
		return "::dis " + quoted(o.args[0]), o.args[1:]
	}
	if n, err := strconv.Atoi(o.args[0]); err == nil && n > 0 {
		return "::dis :" + strconv.Itoa(n), o.args[1:]
	}
	return whatisLine(o)
}

// sizeLine is "sizeof (TYPE)"; "" for other texts.
func sizeLine(text string) string {
	text, ok := strings.CutPrefix(strings.TrimSpace(text), "sizeof")
	if !ok || text == "" || text[0] != '(' && text[0] != ' ' {
		return ""
	}
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "("); ok {
		if text, ok = strings.CutSuffix(inner, ")"); !ok {
			return ""
		}
	}
	if text = strings.TrimSpace(text); text == "" || strings.Trim(text, letters+" *[]<>,&") != "" {
		return ""
	}
	return "::sizeof " + quoted(text)
}

// dumpLine is bytes and text of memory: "memory read 0x1000 0x1040", "db 1000 L40".
func dumpLine(o operands) (string, []string) {
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
	letter := map[string]string{"dd": "X", "dq": "J", "dw": "x", "da": "s", "du": "s", "dps": "p", "dqs": "p", "dds": "p", "dp": "K"}[o.word]
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

// typeLine shows the members of a type, or the type of a variable.
func typeLine(o operands) (string, []string) {
	var words, left []string
	for _, a := range o.args {
		switch {
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "/"):
			left = append(left, a)
		case a == "struct" || a == "class" || a == "union" || a == "enum":
		default:
			_, name, ok := strings.Cut(a, "!") // WinDbg's module
			if !ok {
				name = a
			}
			words = append(words, name)
		}
	}
	text := strings.Join(words, " ")
	if text == "" || !isExpression(strings.ReplaceAll(text, " ", "")) {
		return "", nil
	}
	return "::print -t " + quoted(text), left
}

// printLine is the value of an expression: a register, a number, or an operand of ::print.
func printLine(o operands) (string, []string) {
	args := slices.Clone(o.args)
	var left []string
	hex := o.format == "x"
	if line := sizeLine(strings.Join(args, " ")); line != "" {
		return line, nil
	}
	for len(args) > 0 && (strings.HasPrefix(args[0], "/") || args[0] == "--" || strings.HasPrefix(args[0], "-") && len(args) > 1) {
		if args[0] == "/x" || args[0] == "-fx" {
			hex = true
		} else if args[0] != "--" {
			left = append(left, args[0])
		}
		args = args[1:]
	}
	text := strings.Join(args, "")
	_, isFormat := numberFormats[o.format]
	if o.format != "" && !isFormat {
		left = append(left, "/"+o.format)
	}
	switch {
	case text == "":
		return "", nil
	case text == "$_siginfo":
		return "::siginfo", left
	case register(text, "") != "":
		return register(text, "=K"), left
	case sumOf(text) != "":
		return sumOf(text) + letterOf(o.format, hex), left
	case o.format != "" && isFormat && !hex && !strings.Contains("dus", o.format):
		left = append(left, "/"+o.format)
	}
	switch {
	case strings.HasPrefix(text, "&") && isExpression(text[1:]):
		return "::print -a " + quoted(text[1:]), left
	case !isExpression(text):
		return "", nil
	case hex:
		return "::print -x " + quoted(text), left
	}
	return "::print " + quoted(text), left
}

// numberFormats maps the letters of "p/x" to formats of this language.
var numberFormats = map[string]string{"x": "=K", "z": "=K", "d": "=E", "u": "=E", "i": "=E", "o": "=G", "t": "=R", "c": "=c", "s": "=E"}

// letterOf is the format of a number.
func letterOf(format string, hex bool) string {
	if letter := numberFormats[format]; letter != "" {
		return letter
	}
	if hex {
		return "=K"
	}
	return "=E"
}

// sumOf is a number, or a sum of numbers and registers, as it is here; "" for other texts.
func sumOf(text string) string {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == '-' }) {
		if register(part, "") == "" && number(part, 10) == "" {
			return ""
		}
	}
	return operand(text, 10)
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

// quoted is a text as one operand.
func quoted(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "") + "'"
}

// disassembleLine is a function, or the place of the current frame.
func disassembleLine(o operands) (string, []string) {
	options, at := "", ""
	var left []string
	if strings.ContainsAny(o.format, "sm") {
		options = " -S"
	}
	for _, a := range o.args {
		switch {
		case a == "/s" || a == "/m" || a == "-m":
			options = " -S"
		case strings.HasPrefix(a, "/") || strings.HasPrefix(a, "-") && len(a) == 2 && at == "":
			if a != "-n" && a != "-a" && a != "-s" { // lldb's words before a name or an address
				left = append(left, a)
			}
		case at == "":
			if at = operand(strings.Split(a, ",")[0], o.base); at == "" {
				return "", nil
			}
		default:
			left = append(left, a)
		}
	}
	return at + "::dis" + options, left
}

func whatisLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "", nil
	}
	at := operand(strings.TrimPrefix(o.args[0], "*"), o.base)
	if at == "" {
		return "", nil
	}
	return at + "::whatis", o.args[1:]
}

// searchSymbols lists the symbols of a type whose names contain a word.
func searchSymbols(kind string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return "::nm -t " + kind, nil
		}
		return "::nm -t " + kind + " ! grep -- '" + strings.ReplaceAll(o.args[0], "'", "") + "'", o.args[1:]
	}
}

// sourceLine is the source of the current frame, or around a function or an address.
func sourceLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::source", nil
	}
	if _, _, ok := FileLine(o.args[0]); ok && !strings.Contains(o.args[0], "'") {
		return "::source " + quoted(o.args[0]), o.args[1:]
	}
	if n, err := strconv.Atoi(o.args[0]); err == nil && n > 0 {
		return "::source :" + strconv.Itoa(n), o.args[1:]
	}
	at := operand(o.args[0], o.base)
	if at == "" || '0' <= o.args[0][0] && o.args[0][0] <= '9' && !strings.HasPrefix(o.args[0], "0x") {
		return "::source", o.args
	}
	return at + "::source", o.args[1:]
}

// addressed is a command about the object at an address.
func addressed(command string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		for i, a := range o.args {
			if at := operand(a, 16); at != "" && !strings.HasPrefix(a, "-") {
				return at + command, append(slices.Clone(o.args[:i]), o.args[i+1:]...)
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
