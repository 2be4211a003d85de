package foreign

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
)

// said is a line that says what gdb says where there is nothing to show.
func said(text string) func(operands) (string, []string) { return plain("::echo " + lang.Quote(text)) }

// registersLine is the registers of the chosen frame, or the named ones.
func registersLine(o operands) (string, []string) {
	line := "::regs -g"
	var left []string
	for _, a := range o.args {
		if register("$"+strings.TrimLeft(a, "$%"), "") == "" {
			left = append(left, a)
			continue
		}
		line += " " + strings.TrimLeft(a, "$%")
	}
	return line, left
}

// allRegistersLine is all registers, or the named ones: vector registers, too.
func allRegistersLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::regs -g -a", nil
	}
	return registersLine(o)
}

// matching lists what a regular expression matches, or everything.
func matching(command string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return command, nil
		}
		return command + " -r " + lang.Quote(strings.Join(o.args, " ")), nil
	}
}

// ptypeLine is the declaration of a type, or its members with their offsets for "/o".
func ptypeLine(o operands) (string, []string) {
	text, left := typeNameOf(o)
	options := ""
	if strings.Contains(o.format, "o") || slices.ContainsFunc(left, func(a string) bool {
		return isFormat(a) && strings.Contains(a, "o")
	}) {
		options = "-o "
	}
	if text == "" {
		return "", nil
	}
	return "::ptype " + options + quoted(text), slices.DeleteFunc(left, isFormat)
}

// isFormat reports whether an operand is a format, as "/o".
func isFormat(text string) bool { return strings.HasPrefix(text, "/") }

// typeLine is the name of a value's type.
func typeLine(o operands) (string, []string) {
	text, left := typeNameOf(o)
	if text == "" {
		return "", nil
	}
	return "::ptype -w " + quoted(text), left
}

// symbolLine describes the address that is an expression's value.
func symbolLine(o operands) (string, []string) {
	text := strings.TrimPrefix(strings.Join(o.args, " "), "*")
	switch at := operand(text, o.base); {
	case text == "":
		return "", nil
	case at != "" && (register(text, "") != "" || sumOf(text) != ""):
		return at + "::whatis", nil
	}
	return "::print -- " + quoted(text) + " | ::whatis", nil
}

// processLine is gdb's "info proc" with its words.
func processLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::status", nil
	}
	switch args := o.args[1:]; o.args[0] {
	case "cmdline":
		return "::argv", args
	case "mappings", "map", "mapping":
		return "::mappings", args
	case "exe", "all", "stat", "status":
		return "::status", args
	}
	return "::status", o.args
}

// signalsLine lists signals.
func signalsLine(o operands) (string, []string) {
	line := "::siginfo -l"
	var left []string
	for _, a := range o.args {
		if name := strings.ToUpper(a); strings.HasPrefix(name, "SIG") || isNumber(a) {
			line += " " + quoted(name)
		} else if a != "all" {
			left = append(left, a)
		}
	}
	if o.word == "handle" { // what to do with it is nothing for a core
		left = nil
	}
	return line, left
}

// printfLine is gdb's printf.
func printfLine(o operands) (string, []string) {
	text := strings.Join(o.args, " ")
	end := closing(text)
	if end < 0 {
		return "", nil
	}
	line := "::print -p " + lang.Quote(text[1:end]) + " --"
	rest := strings.TrimSpace(text[end+1:])
	if rest == "" {
		return line, nil
	}
	list, ok := strings.CutPrefix(rest, ",")
	if !ok {
		return "", nil
	}
	for _, a := range splitList(list) {
		line += " " + quoted(strings.TrimSpace(a))
	}
	return line, nil
}

// closing returns where the string that a text begins with ends; -1 if it begins with none.
func closing(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// splitList splits a text at the commas that are in no parentheses, brackets or quotes.
func splitList(text string) (list []string) {
	depth, quote, from := 0, byte(0), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			list, from = append(list, text[from:i]), i+1
		}
	}
	return append(list, text[from:])
}

// setLine makes a variable of the debugger: "set $n = 5".
func setLine(o operands) (string, []string) {
	whole := strings.Join(o.args, " ")
	name, value, ok := strings.Cut(whole, "=")
	text := value
	name, value = strings.TrimSpace(name), sumOf(strings.ReplaceAll(value, " ", ""))
	switch {
	case !ok:
		return "", nil
	case isExpression(name): // of the program, which is not changed
		return "::print " + quoted(name), []string{"= " + strings.TrimSpace(text)}
	case register(name, "") != "" && value != "" && o.word != "p":
		return value + ">" + name[1:], nil
	case strings.HasPrefix(name, "$"):
		return "::print " + quoted(whole), nil
	}
	return "", nil
}

// rangeLine is "list 10,20" and its like: lines from a place to another one.
func rangeLine(from, to string, o operands) (string, []string) {
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if _, line, ok := lang.FileLine(to); ok { // "a.c:10,a.c:20"
		to = strconv.Itoa(line)
	}
	if ahead, plus := strings.CutPrefix(to, "+"); plus { // lines after the place
		if n, err := strconv.Atoi(ahead); err == nil && n >= 0 && from != "" {
			place, left := sourceLine(operands{word: o.word, args: []string{from}, base: o.base})
			rest := strings.TrimPrefix(strings.TrimPrefix(place, sourceOrCode), "::source")
			return "::source -a " + strconv.Itoa(n) + rest, left
		}
	}
	last, err := strconv.Atoi(to)
	first, bad := strconv.Atoi(from)
	switch {
	case to == "" && bad == nil: // ten lines
		last = first + 9
	case to == "" && from != "":
		line, left := sourceLine(operands{word: o.word, args: []string{from}, base: o.base})
		return line, left
	case err != nil || last < 1:
		return "::source", o.args
	}
	switch {
	case from == "":
		from = ":" + strconv.Itoa(max(last-9, 1))
	case bad == nil:
		from = ":" + from
	}
	return "::source -t " + strconv.Itoa(last) + " " + quoted(from), nil
}

// frameApply is "frame apply all COMMAND" and "frame apply 3 COMMAND".
func frameApply(o operands) (string, []string) {
	args, count := o.args, ""
	if len(args) > 0 && o.word != "faas" {
		if isNumber(args[0]) {
			count = " -c " + args[0]
		}
		if count != "" || args[0] == "all" {
			args = args[1:]
		}
	}
	quiet := ""
	if o.word == "faas" {
		quiet = " -s"
	}
	for len(args) > 0 && slices.Contains(applyFlags, args[0]) {
		if args[0] == "-s" {
			quiet = " -s"
		}
		args = args[1:]
	}
	rest := strings.Join(args, " ")
	if slices.Contains([]string{"", "info locals", "info lo", "bt full"}, rest) {
		return "::locals -A" + strings.Replace(count, "-c", "-n", 1), nil
	}
	return "::frame" + count + quiet + " -e " + lang.Quote(rest), nil
}

// applyFlags are gdb's flags of "thread apply" and "frame apply". They choose which errors are shown.
var applyFlags = []string{"-q", "-s", "-c", "--", "-ascending"}

// threadNumbers returns the numbers of "3" and "2-4"; nil for other texts.
func threadNumbers(text string) (list []string) {
	low, high, several := strings.Cut(text, "-")
	first, err := strconv.Atoi(low)
	last := first
	if several && err == nil {
		last, err = strconv.Atoi(high)
	}
	if err != nil || first < 1 || last < first || last-first > 1000 {
		return nil
	}
	for ; first <= last; first++ {
		list = append(list, strconv.Itoa(first))
	}
	return list
}

// stackLine is "bt" with gdb's options and a count: the innermost frames, or the outermost if it is negative.
func stackLine(o operands) (string, []string) {
	full := strings.HasSuffix(o.word, "full") || strings.HasSuffix(o.word, " -f")
	form, count, left := "", 0, []string(nil)
	for i := 0; i < len(o.args); i++ {
		a := o.args[i]
		option := stackOption(a)
		value := ""
		if option.values != "" && i+1 < len(o.args) && slices.Contains(strings.Fields(option.values), o.args[i+1]) {
			i++
			value = o.args[i]
		}
		n, err := strconv.ParseInt(a, o.base, 31)
		switch {
		case option.name == "-full":
			full = true
		case option.name == "-frame-arguments" && value != "":
			form = " -f " + value
		case option.name == "-entry-values" && value != "default", option.name == "-frame-info" && value != "auto",
			strings.HasPrefix(option.name, "-past") && value == "off":
			left = append(left, strings.TrimSpace(a+" "+value))
		case option.name != "":
		case err == nil && n != 0 && count == 0:
			count = int(n)
		default:
			left = append(left, a)
		}
	}
	line := "::stack"
	if full {
		line = "::locals -A"
	}
	switch {
	case count > 0 && full:
		return line + " -n " + strconv.Itoa(count), left
	case count > 0:
		return line + form + " " + radix10(count), left
	case count < 0 && full:
		return line, append([]string{strconv.Itoa(count)}, left...)
	case count < 0:
		return line + form + " -l " + strconv.Itoa(-count), left
	case full:
		return line, left
	}
	return line + form, left
}

// A btOption is an option of gdb's backtrace, with the values that may follow it.
type btOption struct{ name, values string }

// btOptions are all options of backtrace (GDB manual, "Backtraces"). Stacks go past main, and no filter hides frames.
var btOptions = []btOption{
	{"-full", ""}, {"-no-filters", ""}, {"-hide", ""},
	{"-frame-arguments", "all scalars none presence"},
	{"-raw-frame-arguments", "on off"}, {"-past-main", "on off"}, {"-past-entry", "on off"},
	{"-entry-values", "no only preferred if-needed both compact default"},
	{"-frame-info", "auto source-line location source-and-location location-and-address short-location"},
}

// stackOption returns the one option that a word begins, or an old qualifier, as in "bt full".
func stackOption(word string) (option btOption) {
	switch word {
	case "full", "no-filters", "hide":
		word = "-" + word
	}
	if len(word) < 2 || word[0] != '-' {
		return btOption{}
	}
	for _, x := range btOptions {
		switch {
		case x.name == word:
			return x
		case strings.HasPrefix(x.name, word) && option.name != "":
			return btOption{}
		case strings.HasPrefix(x.name, word):
			option = x
		}
	}
	return option
}

// threadNameLine gives the current thread a name, or takes it away.
func threadNameLine(o operands) (string, []string) {
	return "::thread -N " + lang.Quote(strings.Join(o.args, " ")), nil
}
