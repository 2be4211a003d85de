package foreign

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
)

// runningWords are words that run, stop or change a process. A core cannot do that, and answers with the
// state that the process is in.
const runningWords = "continue, cont, c, run, r args, start, starti, next, n, step, s, stepi, si, nexti, ni, until, advance, kill, attach, jump, j, return, signal, " +
	"reverse-continue, rc, reverse-step, rsi, reverse-next, rn, rev, rewind, restart, rebuild, checkpoint, checkpoints, record, delete, disable, enable, condition, " +
	"cond, toggle, clearall, on, wp, bc, bd, be, bu, ba, ignore, commands 1, thread step-in, thread step-over, thread step-out, thread continue, " +
	"process launch, process attach, process continue, process kill, target remote, remote, gdbserver, catch, g, gh, pt, suspend, resume, interrupt, pause, step over, step into, step out, " +
	"breakpoint, debugger, deactivate breakpoints, activate breakpoints, event listener breakpoints, " +
	"xhr breakpoints, dom breakpoints, logpoint, pause on exceptions, pause on caught exceptions, pause on uncaught exceptions, restart frame, resume script execution, " +
	"run to cursor, continue to here, step into next function call, step over next function call, step out of current function, step-instruction, sigbp, fltbp, sysbp, detach process, detach, save, skip, tcatch, rbreak, " +
	"ftrace, strace, tstart, tstop, tstatus, compile, clone-inferior, add-inferior, remove-inferiors, restore, monitor, tty, thbreak"

// IsRunning reports whether a phrase is one of runningWords.
func IsRunning(phrase string) bool {
	return slices.Contains(Split(runningWords), strings.ToLower(phrase))
}

// RunningLine is the line for them.
const RunningLine = "::status"

// NothingRuns says why.
const NothingRuns = "nothing runs in a core: "

// breakLine is the place where a breakpoint would be, and the threads that are there.
func breakLine(o operands) (string, []string) {
	args := slices.DeleteFunc(slices.Clone(o.args), func(a string) bool {
		return slices.Contains([]string{"-l", "-n", "-f", "-a", "in", "at", "set", "--name", "--file"}, a)
	})
	if len(args) == 0 {
		return "::frame", nil
	}
	if n, err := strconv.Atoi(args[0]); err == nil && n > 0 && o.base == 10 {
		return "::lookup ':" + strconv.Itoa(n) + "'", args[1:]
	}
	return placeLine(args, o.base)
}

// frameInfoLine shows the facts about a frame.
func frameInfoLine(o operands) (string, []string) {
	args := o.args
	if len(args) > 1 && args[0] == "function" {
		return "::frame -v -f " + quoted(args[1]), args[2:]
	}
	if len(args) > 1 && args[0] == "level" {
		args = args[1:]
	}
	if len(args) > 0 && isNumber(args[0]) {
		return "::frame -v " + quoted(args[0]), args[1:]
	}
	return "::frame -v", args
}

// scopeLine is the variables of the innermost frame of a function.
func scopeLine(o operands) (string, []string) {
	if len(o.args) > 0 {
		return "::locals -f " + quoted(strings.Join(o.args, " ")), nil
	}
	return "::locals", nil
}

// scriptLine runs the lines of a file, or shows the source of the current frame.
func scriptLine(o operands) (string, []string) {
	args := slices.DeleteFunc(slices.Clone(o.args), func(a string) bool { return a == "-v" || a == "-s" })
	if len(args) == 0 {
		return "::source", nil
	}
	return "$<" + args[0], args[1:]
}

// sourceOrCode is the line for the source around a place, or for the instructions there if the source cannot be had.
const sourceOrCode = "::source -i"

// sourceLine is the source of the current frame, or around a function or an address.
func sourceLine(o operands) (string, []string) {
	switch {
	case len(o.args) == 0 || o.args[0] == "+":
		return sourceOrCode + " -k", nil
	case o.args[0] == "-":
		return "::source -b", nil
	}
	if from, to, several := strings.Cut(strings.Join(o.args, " "), ","); several {
		return rangeLine(from, to, o)
	}
	if _, _, ok := lang.FileLine(o.args[0]); ok && !strings.Contains(o.args[0], "'") {
		return "::source " + quoted(o.args[0]), o.args[1:]
	}
	if n, err := strconv.Atoi(o.args[0]); err == nil && n > 0 {
		return "::source :" + strconv.Itoa(n), o.args[1:]
	}
	if isName(o.args[0]) {
		return sourceOrCode + " " + quoted(o.args[0]), o.args[1:]
	}
	at := operand(strings.TrimPrefix(o.args[0], "*"), o.base)
	if at == "" || '0' <= o.args[0][0] && o.args[0][0] <= '9' && !strings.HasPrefix(o.args[0], "0x") {
		return "::source", o.args
	}
	return at + "::source", o.args[1:]
}

// displayLine is gdb's "display/i $pc", which examines memory with the formats of instructions and strings,
// and else prints.
func displayLine(o operands) (string, []string) {
	if strings.ContainsAny(o.format, "is") {
		return examineLine(o)
	}
	return printLine(o)
}

// sourcesLine lists source files.
func sourcesLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::sources", nil
	}
	return "::sources " + quoted(o.args[0]), o.args[1:]
}

// macroLine is the value of a name that a macro may have: macros are not in debugging information of most programs.
func macroLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::types", nil
	}
	return printLine(operands{args: o.args[len(o.args)-1:]})
}

// settingLine is a setting of the other debugger, which may set a variable.
func settingLine(o operands) (string, []string) {
	if strings.Contains(strings.Join(o.args, " "), "=") && o.word == "set" {
		return setLine(o)
	}
	if text := strings.Join(o.args, " "); o.word == "set" && strings.HasPrefix(text, "$") { // set $i++
		return "::print " + quoted(text), nil
	}
	words := append(strings.Fields(strings.TrimPrefix(o.word, "set")), o.args...)
	if o.word == "config" || o.word == "unset" || len(words) == 0 {
		return "::set", o.args
	}
	name, rest, ok := FindSetting(words)
	if !ok && (slices.Contains(kinds, words[0]) || len(words) == 1 && len(SettingsBelow(words[0])) > 0) {
		return "::set", o.args
	}
	if !ok {
		name, rest = unknownSetting(words)
	}
	return "::set " + quoted(name) + " " + quoted(cmp.Or(strings.Join(rest, " "), "on")), nil
}

// kinds are the first words of settings about running a process, and of others that are not kept.
var kinds = strings.Fields("args cwd environment env logging style prompt debuginfod auto-load")

// shownSetting is gdb's "show" with the name of a setting.
func shownSetting(o operands) (string, []string) {
	words := append(strings.Fields(strings.TrimPrefix(o.word, "show")), o.args...)
	if len(words) == 0 {
		return "::set -a", nil
	}
	name, rest, ok := FindSetting(words)
	switch {
	case ok && name == "language":
		return "::source -l", rest
	case ok:
		return "::set " + quoted(name), rest
	case len(words) == 1 && words[0] == "radix":
		return "::set output-radix", nil
	case len(words) == 1 && words[0] == "user":
		return "::alias", nil
	case words[0] == "values":
		return "::vars", words[1:]
	case len(words) == 1 && len(SettingsBelow(words[0])) > 0:
		return "::set -a " + quoted(words[0]), nil
	case slices.Contains(kinds, words[0]):
		return "::set", o.args
	}
	name, _ = unknownSetting(words)
	return "::set " + quoted(name), nil
}

// goroutineLine is one goroutine: its stack.
func goroutineLine(o operands) (string, []string) {
	line, left := optional("::goroutine")(o)
	rest := strings.Join(left, " ")
	if line == "" || rest == "" || rest == "bt" || rest == "stack" {
		return line, nil
	}
	return "::goroutine -e " + lang.Quote(rest) + strings.TrimPrefix(line, "::goroutine"), nil
}

// goroutinesLine lists goroutines. Those of the runtime are left out, as by delve's "-with user".
func goroutinesLine(o operands) (string, []string) {
	line := "::goroutines"
	var left []string
	for i := 0; i < len(o.args); i++ {
		switch a := o.args[i]; {
		case a == "-t":
			line = "::goroutines -v"
		case strings.HasPrefix(a, "-group"):
			line = "::goroutines -g"
			i++
		case a == "-with" && i+1 < len(o.args) && o.args[i+1] == "user":
			i++
		case a == "-with" && i+2 < len(o.args) && strings.HasSuffix(o.args[i+1], "loc"):
			line += " -c " + quoted(o.args[i+2])
			i += 2
		default:
			left = append(left, a)
		}
	}
	return line, left
}

// jmapLine is the heap of Java, in the form that jmap's option asks for.
func jmapLine(o operands) (string, []string) {
	for i, a := range o.args {
		left := slices.Delete(slices.Clone(o.args), i, i+1)
		switch {
		case strings.HasPrefix(a, "-dump"):
			if _, file, ok := strings.Cut(a, "file="); ok && !strings.ContainsAny(file, `'"`) {
				return "::hprof -o '" + file + "'", left
			}
		case a == "-heap" || a == "--heap":
			return "::javaspaces", left
		case a == "-clstats" || a == "--clstats":
			return "::classloaders", left
		case strings.HasPrefix(a, "-finalizerinfo"):
			return "::finalizers", left
		}
	}
	return "::heapstat", slices.DeleteFunc(slices.Clone(o.args),
		func(a string) bool { return strings.HasPrefix(a, "-histo") || isNumber(a) })
}

// referencesLine is a command about the object at an address; without one it shows the objects that hold the most.
func referencesLine(command string) func(operands) (string, []string) {
	return func(o operands) (string, []string) {
		if line, left := addressed(command)(o); line != "" {
			return line, left
		}
		return "::dominators", o.args
	}
}

// memLine is jhsdb's "mem ADDRESS COUNT": words of memory.
func memLine(o operands) (string, []string) {
	o.format = "g"
	if len(o.args) > 1 && isNumber(o.args[1]) {
		o.format, o.args = o.args[1]+"xg", o.args[:1]
	}
	return examineLine(o)
}

// classLine is a class of Java.
func classLine(o operands) (string, []string) {
	if len(o.args) == 0 {
		return "::javaclass", nil
	}
	return "::javaclass " + quoted(o.args[0]), o.args[1:]
}

// oqlLine is a query of MAT after its first word.
func oqlLine(o operands) (string, []string) {
	if len(o.args) == 0 || !strings.EqualFold(o.args[0], "select") {
		return "::heapstat", o.args
	}
	return selectLine(operands{args: o.args[1:]})
}

// selectLine finds the objects that a query names: "select * from CLASS".
func selectLine(o operands) (string, []string) {
	i := slices.IndexFunc(o.args, func(a string) bool { return strings.EqualFold(a, "from") })
	if i < 0 || i == len(o.args)-1 {
		return "", nil
	}
	var left []string
	if what := o.args[:i]; !slices.Equal(what, []string{"*"}) {
		left = append(left, what...)
	}
	return "::find " + quoted(strings.Trim(o.args[i+1], `"`)), append(left, o.args[i+2:]...)
}

// InFrame returns the line for a register of the chosen frame, in place of the thread's: registers of frames
// further out are different. It returns "" for other lines.
func InFrame(line string) string {
	name, rest, ok := strings.Cut(strings.TrimPrefix(line, "<"), "::")
	verb := "::"
	if !ok {
		if i := strings.IndexAny(line, ",/="); i > 0 && line[0] == '<' {
			name, rest, verb = line[1:i], line[i:], ""
		}
	}
	switch {
	case !strings.HasPrefix(line, "<") || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") != "":
		return ""
	case rest == "=K":
		return "::print '$" + name + "'"
	case verb == "::":
		return "::print -- '$" + name + "' | ::" + rest
	case rest[0] == ',':
		count, letter, _ := strings.Cut(rest[1:], "/")
		return "::print -- '$" + name + "' | /" + strings.TrimPrefix(count, "0t") + letter
	case rest[0] == '/':
		return "::print -- '$" + name + "' | " + rest
	}
	return ""
}
