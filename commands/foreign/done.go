package foreign

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/lang"
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
	{words: "self, $1, elements, application",
		line: plain("::jsglobal"), weak: true},
	{words: "err, error, e, lasterror, exception", line: plain("::jserror"), weak: true},
	{words: "summary, comparison, allocation, allocations, snapshot, snapshots, heap snapshot, take heap snapshot, take snapshot, heap profile, heap profiler", line: plain("::heapstat"), weak: true},
	{words: "statistics, performance memory", line: plain("::memory"), weak: true},
	{words: "network", line: plain("::handles"), weak: true},
	{words: "local", line: plain("::locals"), weak: true},
	{words: "async stack, async", line: plain("::promises -p"), weak: true},
	{words: "clear()", line: plain("!clear")},
	{words: "py-bt, py-bt-full", line: plain("::stack")},
	{words: "py-locals", line: plain("::locals")},
	{words: "py-list", line: plain("::source")},
	{words: "throw, raise, rethrow", line: plain("::analyze"), weak: true},
	{words: "timeline, performance, profiler, profiles", line: plain("::stacks"), weak: true},
	{words: "interact", line: plain("::locals"), weak: true},
	{words: "py-spy dump, pyspy dump, traceback.print_stack, traceback.print_exc, traceback.format_stack, import traceback, faulthandler.dump_traceback", line: plain("::stacks -a")},
	{words: "do, dumpobj, !do, !dumpobj, dumpobject, dumparray, !da, dumpvc, object, obj, instance",
		line: addressed("::whatis"), weak: true},
	{words: "lsof, pfiles, fds, !handle", line: plain("::handles")},
	{words: "pwd", line: plain("!pwd")},
	{words: "cls, .cls", line: plain("!clear")},
	{words: "py-up", line: moved("u")},
	{words: "py-down", line: moved("d")},
	{words: "py-print", line: printLine},
	{words: "jmap, jhsdb jmap", line: jmapLine},
	{words: "jinfo, jhsdb jinfo, vm.command_line, vm.uptime, jps, hsdb, vm.version, vm.info, vm.flags, vm.system_properties, sysprops", line: plain("::jvm -p")},
	{words: "frame apply, faas", line: frameApply},
	{words: "taas, tfaas", line: plain("::stacks -a")},
	{words: "bt full, bt -f, bt -full, backtrace full, where full, stack -full", line: stackLine},
	{words: "bt, backtrace, where, w, call stack, info stack, info s, thread backtrace, stack, pstack, gstack",
		line: stackLine},
	{words: "k, kb, kp, kn, kv, kc, kl", line: stackLine},
	{words: "thread apply all bt full, t a a bt full", line: plain("::walk thread | ::locals -A")},
	{words: "thread apply all bt, thread apply all, thr a a bt, t a a bt, t a a, thread apply all backtrace, thread apply all where, bt all, bt -a, thread backtrace all, where all, foreach bt, ~*k, ~*kb, ~*kp, ~*kn, ~*kv, thread.print, eu-stack, thread_overview, thread overview, thread details, jhsdb jstack", line: plain("::stacks -a")},
	{words: "~k, ~kb, ~kp, ~kn, !uniqstack, uniqstack, stacks, !stacks, pstacks, parallelstacks, bt unique",
		line: plain("::stacks")},
	{words: "thread apply all goroutine", line: plain("::goroutines -v")},
	{words: "goroutines, grs, info goroutines", line: goroutinesLine},
	{words: "goroutine, gr", line: goroutineLine},
	{words: "deferred", line: plain("::locals")},
	{words: "up", line: moved("u")},
	{words: "down", line: moved("d")},
	{words: "up-silently", line: moved("q -u")},
	{words: "down-silently", line: moved("q -d")},
	{words: "frame variable, fr v, fr var", line: variables},
	{words: "frame, f, frame select, .frame, set frame, inspect frame, fr", line: frameLine},
	{words: "select-frame", line: selectFrame},
	{words: "info frame, frame info, info f", line: frameInfoLine},
	{words: "info locals, locals, dv, v", line: variables},
	{words: "info args, args", line: plain("::args")},
	{words: "vars", line: searchSymbols("objt,tls")},
	{words: "v8 bt, jst, jstk, jsbt, js bt", line: plain("::jsstack")},
	{words: "clrstack, !clrstack, dumpstack, !dumpstack", line: plain("::stack")},
	{words: "eestack, !eestack, jstack", line: plain("::stacks -a")},
	{words: "info threads, thread list, threads, clrthreads, !threads, thread_list, jthreads, lwps, info thread",
		line: plain("::threads")},
	{words: "~, ~*", line: plain("::threads")},
	{words: "thread find", line: matching("::threads")},
	{words: "thread name", line: threadNameLine},
	{words: "thread select, thread, t, tr, setthread, .thread, tid", line: threadLine},
	{words: "info registers, info reg, info r, i r, i reg, info regs, register read, registers, regs, re r",
		line: registersLine},
	{words: "info all-registers", line: allRegistersLine},
	{words: "info float, info vector, rf, register read --all, register read -a",
		line: plain("::regs -g -a")},
	{words: "x, examinemem", line: examineLine},
	{words: "memory read, me r, db, dump memory, hexdump, xxd", line: dumpLine},
	{words: "mem", line: memLine},
	{words: "dd, dq, dw, da, du, dps, dqs, dds, dp", line: windowsMemory},
	{words: "ptype, type lookup, image lookup -t, im loo -t, print type", line: ptypeLine},
	{words: "ptype/o", line: ptypeLine},
	{words: "dt, pahole", line: membersLine},
	{words: "whatis", line: typeLine},
	{words: "info macro, macro expand, macro", line: macroLine},
	{words: "info selectors, info type-printers, info skip, info macros, info tasks, info win, info record", line: plain(RunningLine)},
	{words: "p, print, output, inspect, call, po, pp, expr, expression, explore, dx, ??", line: printLine},
	{words: "display", line: displayLine},
	{words: "disassemble, disas, disass, di, disassem, u, uf, disasm, dis", line: disassembleLine},
	{words: "info symbol, info sym", line: symbolLine},
	{words: "image lookup -a, image lookup --address, image lookup, im loo -a, ln, findpc, addr2line, !address, sym", line: whatisLine},
	{words: "info sharedlibrary, info shared, info sh, info dll", line: matching("::objects")},
	{words: "image list, im li, lm, lmf, lmv, lmvm, modules, libraries, ldd, pldd, !dlls, target modules list", line: plain("::objects")},
	{words: "info files, maintenance info sections, maint info sections, info target, image dump sections, target modules dump sections", line: plain("::sections")},
	{words: "compare-sections", line: plain("::sections -c")},
	{words: "info proc mappings, info proc map, i proc m, info mappings, vmmap, maps, pmap, !vadump, vadump, memory region --all, info mem, info memory", line: plain("::mappings")},
	{words: "info functions, info fun, funcs", line: searchSymbols("func")},
	{words: "info variables, info var, globals", line: searchSymbols("objt,tls")},
	{words: "info symbols, symbols", line: plain("::nm")},
	{words: "info line", line: infoLine},
	{words: "info address", line: addressLine},
	{words: "info source, source info", line: plain("::source -d")},
	{words: "info sources, packages", line: sourcesLine},
	{words: "sources", line: sourcesLine, weak: true},
	{words: "info types", line: typesLine},
	{words: "info vtbl", line: vtableLine},
	{words: "info scope", line: scopeLine},
	{words: "info breakpoints, info break, info b, info watchpoints, info tracepoints, info checkpoints, bl, breakpoints, breakpoint list, br list, watchpoint list",
		line: said("No breakpoints or watchpoints.")},
	{words: "target variable", line: printLine},
	{words: "platform status", line: plain(RunningLine)},
	{words: "r", line: windowsRegistersLine},
	{words: "info display", line: said("There are no auto-display expressions now.")},
	{words: "show convenience, show conv, info convenience", line: plain("::vars")},
	{words: "info exceptions", line: analyzeLine},
	{words: "find", line: findLine},
	{words: "set var, set variable", line: setLine},
	{words: "add-symbol-file, symbol-file, exec-file, file, core-file, directory, dir, set substitute-path, set solib-search-path, set debug-file-directory, target create, sharedlibrary, .reload, .sympath, .symfix, image search-paths, add-symbol, info symbol-file", line: plain("::objects -v")},
	{words: "python, py, python-interactive, pi, guile, script", line: plain("::dcmds")},
	{words: "commands, define, document, macro define, end", line: plain("::alias")},
	{words: "generate-core-file, gcore, .dump, process save-core, save-core, minidump", line: plain(RunningLine)},
	{words: "source, command source, so file, source file, run script", line: scriptLine},
	{words: "undisplay, delete display", line: said("There are no auto-display expressions now.")},
	{words: "printf, dprintf", line: printfLine},
	{words: "echo", line: func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return "", nil
		}
		return "::echo " + quoted(strings.TrimSuffix(strings.Join(o.args, " "), `\n`)), nil
	}},
	{words: "apropos", line: func(o operands) (string, []string) {
		return "::dcmds " +
			quoted(strings.Join(o.args, " ")), nil
	}},
	{words: "layout asm", line: plain("::dis")},
	{words: "layout regs", line: plain("::regs")},
	{words: "layout, tui, focus, refresh, winheight, info win", line: plain(sourceOrCode)},
	{words: "show language, show print, show pagination, show radix, show confirm, show width, show height, show",
		line: shownSetting},
	{words: "settings set, settings show, settings list", line: plain("::set")},
	{words: "source list", line: lldbSource},
	{words: "list, l, v8 source list, lsa, .lsp, ls, so l, edit, ll, longlist", line: sourceLine},
	{words: "!analyze, .lastevent, .exr, .ecxr, crashinfo, exploitable", line: analyzeLine},
	{words: "info signal, info signals, handle, info handle, info set handle", line: signalsLine},
	{words: "info siginfo, siginfo", line: plain("::siginfo")},
	{words: "info program, process status, target status, process info, status, vertarget, target, info inferiors, info os, sys, panicinfo", line: plain("::status")},
	{words: "info proc", line: processLine},
	{words: "info auxv, auxv", line: plain("::auxv")},
	{words: "show args, pargs, args show, info args show", line: plain("::argv")},
	{words: "show environment, show env, penv, info env, environ", line: func(o operands) (string, []string) {
		if len(o.args) == 0 {
			return "::env", nil
		}
		return "::env " + quoted(o.args[0]), o.args[1:]
	}},
	{words: "locks, !locks, info locks, mutex, findlocks, !cs", line: plain("::mutexes")},
	{words: "deadlocks, !deadlock, dlk, !dlk, find deadlocks", line: plain("::deadlock")},
	{words: "heap", line: plain("::heapstat")},
	{words: "heap stat, dumpheap, !dumpheap, dumpheap -stat, !dumpheap -stat, histo, histogram, gc.class_histogram, top consumers, top components, gc.heap_info, universe, allocation timeline, allocation sampling", line: plain("::heapstat")},
	{words: "leaks, leak, memory leak, memleak, detached, leak suspects, leak report, leak_suspects, find leaks, detached elements", line: plain("::leaks")},
	{words: "constructors", line: plain("::heapstat")},
	{words: "containment, dominator tree, dominator_tree, dominators tree, retained size, biggest objects",
		line: plain("::dominators")},
	{words: "retainers", line: retainersLine},
	{words: "scripts", line: plain("::jsscripts")},
	{words: "scope, scopes, closure, variables", line: plain("::locals"), weak: true},
	{words: "this", line: plain("::print this")},
	{words: "callstack, call-stack", line: plain("::stack")},
	{words: "console.trace", line: plain("::jsstack")},
	{words: "finish, fin, gu, stepout, so, thread step-out", line: plain("::frame -u 1")},
	{words: runningWords, line: plain(RunningLine)},
	{words: "break, b, br, bp, tbreak, hbreak, trace, tp, stop in, stop at, clear", line: breakLine},
	{words: "watch, rwatch, awatch", line: printLine},
	{words: "set print, set pagination, set width, set height, set confirm, set listsize, set logging, set style, set verbose, set history, set disassembly-flavor, set output-radix, set args, set cwd, set environment, set env, set follow-fork-mode, set scheduler-locking, set non-stop, set breakpoint, set debuginfod, set sysroot, set auto-load, config, unset, set", line: settingLine},
	{words: "!gcroot, gcroots, pathto, path2gc, path to gc roots, merge shortest paths, merge_shortest_paths",
		line: retainersLine},
	{words: "outgoing references, list objects with outgoing references", line: referencesLine("::refs")},
	{words: "incoming references", line: referencesLine("::refby")},
	{words: "revptrs, scanoops", line: addressed("::refby")},
	{words: "oql", line: oqlLine},
	{words: "select", line: selectLine},
	{words: "duplicate classes, duplicate_classes, vm.classloaders, vm.classloader_stats, class loader explorer, class_loader_explorer, clstats", line: plain("::classloaders")},
	{words: "gc.finalizer_info, finalizerinfo, finalizer overview", line: plain("::finalizers")},
	{words: "vm.native_memory, gc.native, native memory", line: plain("::memory")},
	{words: "duplicate strings, duplicate_strings", line: plain("::dupstrings")},
	{words: "classes, class, printclass, fields, methods", line: classLine},
	{words: "monitors, syncblk, !syncblk, jlocks", line: plain("::javamonitors")},
	{words: "threadgroups", line: plain("::threads")},
	{words: "printstatics", line: classLine},
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
			first := Split(d.words)[0]
			line := ""
			for _, args := range [][]string{nil, {"ADDRESS"}, {"NAME"}, {"$n=5"}, {"NAME,", "NAME,", "ADDRESS"},
				{"*", "from", "NAME"}, {`"%d",`, "NAME"}} {
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

// Done returns the line that does what was typed in another debugger, the phrase that it was
// taken for, the operands that it leaves out, and whether a variable of that name comes first.
func Done(fields []string) (line, phrase string, left []string, weak bool) {
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
	if args := forEachThread(fields, lower); args != nil {
		line, left = threadApply(args)
		return line, "thread apply", left, false
	}
	if line, left, ok := within(fields); ok {
		return line, fields[0], left, false
	}
	for n := min(len(fields), 5); n > 0; n-- {
		text := strings.Join(lower[:n], " ")
		if n == 1 && word != "" {
			text = strings.ToLower(word)
		}
		for _, d := range doings {
			for _, w := range Split(d.words) {
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

// within are words in front of another word: "jcmd 123 Thread.print", "frame 2 locals".
func within(fields []string) (line string, left []string, ok bool) {
	switch first := strings.ToLower(fields[0]); first {
	case "jcmd", "jhsdb", "clhsdb":
		rest := fields[1:]
		for len(rest) > 0 && isNumber(rest[0]) { // a process
			rest = rest[1:]
		}
		if len(rest) > 1 && strings.EqualFold(rest[0], "gc.heap_dump") {
			file := rest[len(rest)-1]
			return "::hprof -o " + quoted(file), rest[1 : len(rest)-1], true
		}
		if len(rest) > 0 {
			if line, _, left, _ = Done(rest); line != "" {
				return line, left, true
			}
		}
		return "::jvm", rest, true
	case "with": // a setting for one command
		if i := slices.Index(fields, "--"); i > 0 && i+1 < len(fields) {
			line, _, left, _ = Done(fields[i+1:])
			return line, append(left, fields[1:i]...), line != ""
		}
	case "frame", "fr":
		if len(fields) < 3 || !isNumber(fields[1]) {
			return "", nil, false
		}
		line, _, left, _ = Done(fields[2:])
		if line == "::locals" || line == "::args" || line == sourceOrCode+" -k" {
			return strings.TrimSuffix(line, " -k") + " -f " + fields[1], left, true
		}
		if line != "" {
			return "::frame -e " + lang.Quote(strings.Join(fields[2:], " ")) + " " + fields[1], nil, true
		}
	}
	return "", nil, false
}

// takesThread are commands that take a thread's id.
var takesThread = []string{"::stack", "::locals", "::args", "::jsstack", "::javastack"}

// perThread reports whether a line applies another to threads in a way that no row of doings has.
func perThread(lower []string) bool {
	if len(lower) < 3 || lower[0] != "thread" || lower[1] != "apply" {
		return false
	}
	rest := strings.Join(lower[3:], " ")
	return lower[2] != "all" || !slices.Contains([]string{"", "bt", "bt full", "backtrace", "where"}, rest)
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

// forEachThread returns the arguments of "thread apply" for a line that applies another one to threads in a way that no
// row of doings has.
func forEachThread(fields, lower []string) []string {
	switch {
	case len(fields) > 1 && lower[0] == "taas":
		return append([]string{"all", "-s"}, fields[1:]...)
	case len(fields) > 1 && lower[0] == "tfaas":
		return append([]string{"all", "-s", "frame", "apply", "all", "-s"}, fields[1:]...)
	case perThread(lower):
		return fields[2:]
	}
	return nil
}

// threadApply is "1 2 COMMAND" and "all COMMAND" after "thread apply".
func threadApply(args []string) (line string, left []string) {
	var ids []string
	for len(args) > 0 {
		more := threadNumbers(args[0])
		if more == nil {
			break
		}
		ids, args = append(ids, more...), args[1:]
	}
	from := "::thread -p " + strings.Join(ids, " ")
	if len(ids) == 0 {
		from = "::walk thread"
		args = args[1:]
	}
	quiet := ""
	for len(args) > 0 && slices.Contains(applyFlags, args[0]) {
		if args[0] == "-s" {
			quiet = " -s"
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return from + " | ::stack", nil
	}
	line, _, left, _ = Done(args)
	if name, _, _ := strings.Cut(line, " "); slices.Contains(takesThread, name) && !strings.Contains(line, "|") {
		return from + " | " + line, left
	}
	line = "::thread" + quiet + " -e " + lang.Quote(strings.Join(args, " "))
	return strings.TrimSpace(line + " " + strings.Join(ids, " ")), nil
}
