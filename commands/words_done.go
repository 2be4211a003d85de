package commands

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A doing is a word of other debuggers that is done here. Its line function returns the line
// to run for the operands, and the operands it leaves out. It returns "" for operands that
// cannot be said here; then the hint of the word is the answer.
type doing struct {
	words string // separated by commas, as a phrase's
	line  func(o operands) (line string, left []string)
	weak  bool // a variable of that name comes first
}

// plain runs a line whatever the operands are: all are left out.
func plain(line string) func(operands) (string, []string) {
	return func(o operands) (string, []string) { return line, o.args }
}

// doings are tried in this order: the longest phrase of a row first.
var doings = []doing{
	{words: "window, document, self, location, navigator", line: plain("::jsglobal"), weak: true},
	{words: "err, error, e, lasterror, exception", line: plain("::jserror"), weak: true},
	{words: "summary, comparison", line: plain("::heapstat"), weak: true},
	{words: "statistics, performance memory", line: plain("::memory"), weak: true},
	{words: "network", line: plain("::handles"), weak: true},
	{words: "local", line: plain("::locals"), weak: true},
	{words: "async stack, async", line: plain("::promises -p"), weak: true},
	{words: "clear()", line: plain("!clear")},
	{words: "py-bt, py-bt-full", line: plain("::stack")},
	{words: "py-locals", line: plain("::locals")},
	{words: "py-list", line: plain("::source")},
	{words: "py-up", line: moved("u")},
	{words: "py-down", line: moved("d")},
	{words: "py-print", line: printLine},
	{words: "jinfo, vm.version, vm.info, vm.flags, vm.system_properties, sysprops", line: plain("::jvm -p")},
	{words: "frame apply", line: frameApply},
	{words: "bt full, bt -f, bt -full, backtrace full, where full", line: plain("::locals -A")},
	{words: "bt, backtrace, where, w, call stack, info stack, info s, thread backtrace, stack, pstack, gstack", line: stackLine},
	{words: "k, kb, kp, kn, kv, kc", line: stackLine},
	{words: "thread apply all bt full, t a a bt full", line: plain("::walk thread | ::locals -A")},
	{words: "thread apply all bt, thread apply all, thr a a bt, t a a bt, t a a, taas, thread apply all backtrace, thread apply all where, bt all, bt -a, thread backtrace all, where all, foreach bt, ~*k, ~*kb, ~*kp, ~*kn, ~*kv, jcmd, thread.print, eu-stack", line: plain("::stacks -a")},
	{words: "~k, ~kb, ~kp, ~kn, !uniqstack, uniqstack, stacks, !stacks, pstacks, parallelstacks, bt unique", line: plain("::stacks")},
	{words: "goroutines -t, goroutines -g, thread apply all goroutine", line: plain("::goroutines -v")},
	{words: "goroutines, grs, info goroutines", line: plain("::goroutines")},
	{words: "goroutine, gr", line: optional("::goroutine")},
	{words: "up, up-silently", line: moved("u")},
	{words: "down, down-silently", line: moved("d")},
	{words: "frame variable, fr v, fr var", line: variables},
	{words: "frame, f, frame select, .frame, select-frame, set frame, inspect frame, frame info, info frame, fr", line: frameLine},
	{words: "info locals, locals, dv, v", line: variables},
	{words: "info args", line: plain("::args")},
	{words: "v8 bt, jst, jstk, jsbt, js bt", line: plain("::jsstack")},
	{words: "clrstack, !clrstack, dumpstack, !dumpstack", line: plain("::stack")},
	{words: "eestack, !eestack, jstack", line: plain("::stacks -a")},
	{words: "info threads, thread list, threads, clrthreads, !threads, thread_list, jthreads, lwps, info thread", line: plain("::threads")},
	{words: "~, ~*", line: plain("::threads")},
	{words: "thread name, thread find", line: plain("::threads")},
	{words: "thread select, thread, t, setthread, .thread, tid", line: threadLine},
	{words: "info registers, info reg, info r, i r, i reg, info regs, register read, registers, regs, re r", line: registersLine},
	{words: "info all-registers, info float, info vector, rf, register read --all, register read -a", line: plain("::regs -a")},
	{words: "x", line: examineLine},
	{words: "memory read, me r, examinemem, db, dump memory, hexdump, xxd", line: dumpLine},
	{words: "dd, dq, dw, da, du, dps, dqs, dds, dp", line: windowsMemory},
	{words: "ptype, ptype/o, dt, type lookup, image lookup -t, im loo -t, pahole, print type", line: membersLine},
	{words: "whatis", line: typeLine},
	{words: "p, print, output, inspect, call, po, expr, expression, display, explore, dx, ??", line: printLine},
	{words: "disassemble, disas, disass, di, disassem, u, uf, disasm, dis", line: disassembleLine},
	{words: "info symbol, image lookup -a, image lookup --address, image lookup, im loo -a, ln, findpc, addr2line, !address, info address, sym", line: whatisLine},
	{words: "info sharedlibrary, info shared, info sh, image list, im li, lm, lmf, lmv, lmvm, modules, libraries, ldd, pldd, !dlls, target modules list, info dll", line: plain("::objects")},
	{words: "info proc mappings, info proc map, i proc m, info mappings, vmmap, maps, pmap, !vadump, vadump, memory region --all, info files, maintenance info sections, maint info sections, info target, info mem", line: plain("::mappings")},
	{words: "info functions, info fun, funcs", line: searchSymbols("func")},
	{words: "info variables, info var, globals", line: searchSymbols("objt,tls")},
	{words: "info symbols, symbols", line: plain("::nm")},
	{words: "info line", line: infoLine},
	{words: "info source", line: plain("::frame")},
	{words: "info types", line: typesLine},
	{words: "info vtbl", line: vtableLine},
	{words: "info scope", line: plain("::locals")},
	{words: "info display, show convenience, show conv, info convenience", line: plain("::vars")},
	{words: "info exceptions", line: analyzeLine},
	{words: "find", line: findLine},
	{words: "set var, set variable, set", line: setLine},
	{words: "printf, dprintf", line: printfLine},
	{words: "echo", line: func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return "", nil
		}
		return "::echo " + quoted(strings.TrimSuffix(strings.Join(o.args, " "), `\n`)), nil
	}},
	{words: "apropos", line: func(o operands) (string, []string) { return "::dcmds " + quoted(strings.Join(o.args, " ")), nil }},
	{words: "layout asm", line: plain("::dis")},
	{words: "layout regs", line: plain("::regs")},
	{words: "layout, tui, focus, refresh, winheight, info win", line: plain("::source")},
	{words: "show language, show print, show pagination, show radix, show confirm, show width, show height, show", line: plain("::set")},
	{words: "settings set, settings show, settings list", line: plain("::set")},
	{words: "list, l, source list, v8 source list, lsa, .lsp, ls, so l", line: sourceLine},
	{words: "!analyze, .lastevent, .exr, .ecxr, crashinfo, exploitable", line: analyzeLine},
	{words: "info signal, info signals, info siginfo, siginfo", line: plain("::siginfo")},
	{words: "info program, process status, target status, process info, status, vertarget, target, info inferiors, info proc, info os, sys, panicinfo", line: plain("::status")},
	{words: "info auxv, auxv", line: plain("::auxv")},
	{words: "show args, pargs, args show, info args show", line: plain("::argv")},
	{words: "show environment, show env, penv, info env, environ", line: plain("::env")},
	{words: "locks, !locks, info locks, mutex, findlocks, !cs", line: plain("::mutexes")},
	{words: "deadlocks, !deadlock, dlk, !dlk", line: plain("::deadlock")},
	{words: "heap", line: plain("::heapstat")},
	{words: "heap stat, dumpheap, !dumpheap, dumpheap -stat, !dumpheap -stat, histo, histogram, jmap, jmap -histo, gc.class_histogram", line: plain("::heapstat")},
	{words: "leaks, leak, memory leak, memleak, detached", line: plain("::leaks")},
	{words: "constructors", line: plain("::heapstat")},
	{words: "containment", line: plain("::dominators")},
	{words: "retainers", line: retainersLine},
	{words: "scripts, sources", line: plain("::jsscripts")},
	{words: "scope, scopes, closure, variables", line: plain("::locals")},
	{words: "this", line: plain("::print this")},
	{words: "callstack, call-stack, console.trace()", line: plain("::stack")},
	{words: "finish", line: plain("::frame -u 1")},
	{words: "continue, run, start, next, step, stepi, nexti, until, advance, info breakpoints, info break, info checkpoints, breakpoints, debugger", line: plain("::status")},
	{words: "break, b, br, bp, tbreak, hbreak", line: sourceLine},
	{words: "watch, rwatch, awatch", line: printLine},
	{words: "set print, set pagination, set width, set height, set confirm, set listsize, set logging, set style, set verbose, set history, set disassembly-flavor, set output-radix", line: plain("::set")},
	{words: "!gcroot, gcroots, pathto, path2gc", line: addressed("::gcroot")},
	{words: "v8 findrefs, findrefs, v8 refs, whereused", line: addressed("::jsfindrefs")},
	{words: "v8 inspect, v8 i, v8 print, v8 p, v8 pr, v8 jsprint", line: addressed("::jsprint")},
	{words: "v8 findjsobjects, v8 findjsinstances, v8 fjo, findjsinstances", line: findObjects},
	{words: "v8 nodeinfo, v8 node, v8 info", line: plain("::nodeinfo")},
	{words: "v8 getactivehandles, getactivehandles", line: plain("::handles")},
	{words: "v8 getactiverequests, getactiverequests", line: plain("::requests")},
	{words: "show version, info version", line: plain("::version")},
	{words: "search, searchmem, memory find, findtext, strings", line: searchText},
	{words: "shell, platform shell", line: func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return "", nil
		}
		return "!" + strings.Join(o.args, " "), nil
	}},
}

// Doings yields the words that are done here, separated by commas, and the line that does
// them: without operands, or with ADDRESS or NAME if one is needed.
func Doings() iter.Seq2[string, string] {
	return func(yield func(words, line string) bool) {
		for _, d := range doings {
			first := split(d.words)[0]
			line := ""
			for _, args := range [][]string{nil, {"ADDRESS"}, {"NAME"}, {"$n=5"}, {"NAME,", "NAME,", "ADDRESS"}, {`"%d",`, "NAME"}} {
				if line, _ = d.line(operands{word: first, args: args, base: 10}); line != "" {
					break
				}
			}
			if !yield(d.words, line) {
				return
			}
		}
	}
}

// done returns the line that does what was typed in another debugger, the phrase that it was
// taken for, the operands that it leaves out, and whether a variable of that name comes first.
func done(fields []string) (line, phrase string, left []string, weak bool) {
	lower := make([]string, len(fields))
	for i, f := range fields {
		lower[i] = strings.ToLower(f)
	}
	word, format, _ := strings.Cut(fields[0], "/")
	if strings.HasPrefix(lower[0], "~") {
		if n, ok := windowsThread(lower[0]); ok {
			return n, fields[0], fields[1:], false
		}
	}
	if perThread(lower) {
		line, left = threadApply(fields[2:])
		return line, "thread apply", left, false
	}
	for n := min(len(fields), 5); n > 0; n-- {
		text := strings.Join(lower[:n], " ")
		if n == 1 && word != "" {
			text = strings.ToLower(word)
		}
		for _, d := range doings {
			for _, w := range split(d.words) {
				if w != text && (n == 1 || !begins(strings.Fields(w), lower[:n])) {
					continue
				}
				o := operands{word: text, args: fields[n:], base: 10}
				if n == 1 {
					o.format = format
				}
				if isWindows(text) {
					o.base = 16
				}
				if line, left := d.line(o); line != "" {
					return line, strings.Join(fields[:n], " "), left, d.weak
				}
				return "", "", nil, false
			}
		}
	}
	return "", "", nil, false
}

// takesThread are commands that take a thread's id.
var takesThread = []string{"::stack", "::locals", "::args", "::regs", "::frame", "::jsstack", "::javastack"}

// perThread reports whether a line applies another to threads in a way that no row of doings has.
func perThread(lower []string) bool {
	if len(lower) < 3 || lower[0] != "thread" || lower[1] != "apply" {
		return false
	}
	rest := strings.Join(lower[3:], " ")
	return lower[2] != "all" || !slices.Contains([]string{"", "bt", "bt full", "backtrace", "where"}, rest)
}

// threadApply is "1 2 COMMAND" and "all COMMAND" after "thread apply".
func threadApply(args []string) (line string, left []string) {
	n := 0
	for n < len(args) && isNumber(args[n]) {
		n++
	}
	from := "::thread -p " + strings.Join(args[:n], " ")
	if n == 0 {
		from, n = "::walk thread", 1
	}
	rest := slices.DeleteFunc(slices.Clone(args[n:]), func(a string) bool { return a == "-q" || a == "-s" || a == "-c" })
	if len(rest) == 0 {
		return from + " | ::stack", nil
	}
	line, _, left, _ = done(rest)
	if name, _, _ := strings.Cut(line, " "); !slices.Contains(takesThread, name) || strings.Contains(line, "|") {
		return from + " | ::stack", rest
	}
	return from + " | " + line, left
}

// windowsThread is WinDbg's ~2s, and ~2k: the third thread, as they count from 0.
func windowsThread(word string) (string, bool) {
	digits := strings.TrimRight(word[1:], "skbpnv")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return "", false
	}
	switch word[1+len(digits):] {
	case "s":
		return "::thread -n " + strconv.Itoa(n+1), true
	case "":
		return "::threads", true
	}
	return "", false
}
