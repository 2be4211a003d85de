package commands

import (
	"iter"
	"strconv"
	"strings"
)

// A doing is a word of other debuggers that is done here. Its line function returns the line
// to run for the operands, and the operands it leaves out. It returns "" for operands that
// cannot be said here; then the hint of the word is the answer.
type doing struct {
	words string // separated by commas, as a phrase's
	line  func(o operands) (line string, left []string)
}

// operands are what comes after the word.
type operands struct {
	word   string   // as it was typed, without its format
	format string   // of gdb's "x/8i": "8i"
	args   []string // as they were typed
	base   int      // of numbers without a prefix: 16 in WinDbg
}

// plain runs a line whatever the operands are: all are left out.
func plain(line string) func(operands) (string, []string) {
	return func(o operands) (string, []string) { return line, o.args }
}

// doings are tried in this order: the longest phrase of a row first.
var doings = []doing{
	{"bt full, bt -f, bt -full, backtrace full, where full", plain("::locals -A")},
	{"bt, backtrace, where, w, call stack, info stack, info s, thread backtrace, stack, pstack, gstack", stackLine},
	{"k, kb, kp, kn, kv, kc", stackLine},
	{"thread apply all bt full, t a a bt full", plain("::walk thread | ::locals -A")},
	{"thread apply all bt, thread apply all, thr a a bt, t a a bt, t a a, taas, thread apply all backtrace, thread apply all where, bt all, bt -a, thread backtrace all, where all, foreach bt, ~*k, ~*kb, ~*kp, ~*kn, ~*kv, jcmd, thread.print, eu-stack", plain("::stacks -a")},
	{"~k, ~kb, ~kp, ~kn, !uniqstack, uniqstack, stacks, !stacks, pstacks, parallelstacks, bt unique", plain("::stacks")},
	{"goroutines -t, goroutines -g, thread apply all goroutine", plain("::goroutines -v")},
	{"goroutines, grs, info goroutines", plain("::goroutines")},
	{"goroutine, gr", optional("::goroutine")},
	{"up, up-silently", moved("u")},
	{"down, down-silently", moved("d")},
	{"frame variable, fr v, fr var", variables},
	{"frame, f, frame select, .frame, select-frame, set frame, inspect frame, frame info, info frame, fr", frameLine},
	{"info locals, locals, dv, v", variables},
	{"info args", plain("::args")},
	{"v8 bt, jst, jstk, jsbt, js bt", plain("::jsstack")},
	{"clrstack, !clrstack, dumpstack, !dumpstack", plain("::stack")},
	{"eestack, !eestack, jstack", plain("::stacks -a")},
	{"info threads, thread list, threads, clrthreads, !threads, thread_list, jthreads, lwps, info thread", plain("::threads")},
	{"~, ~*", plain("::threads")},
	{"thread name, thread find", plain("::threads")},
	{"thread select, thread, t, setthread, .thread, tid", threadLine},
	{"info registers, info reg, info r, i r, i reg, info regs, register read, registers, regs, re r", registersLine},
	{"info all-registers, info float, info vector, rf, register read --all, register read -a", plain("::regs -a")},
	{"x", examineLine},
	{"memory read, me r, examinemem, db, dump memory, hexdump, xxd", dumpLine},
	{"dd, dq, dw, da, du, dps, dqs, dds, dp", windowsMemory},
	{"ptype, ptype/o, dt, type lookup, image lookup -t, im loo -t, pahole, print type", typeLine},
	{"whatis", typeLine},
	{"p, print, output, inspect, call, po, expr, expression, display, dx, ??", printLine},
	{"disassemble, disas, disass, di, disassem, u, uf, disasm, dis", disassembleLine},
	{"info symbol, image lookup -a, image lookup --address, im loo -a, ln, findpc, addr2line, !address, info address, sym", whatisLine},
	{"info sharedlibrary, info shared, info sh, image list, im li, lm, lmf, lmv, lmvm, modules, libraries, ldd, pldd, !dlls, target modules list, info dll", plain("::objects")},
	{"info proc mappings, info proc map, i proc m, info mappings, vmmap, maps, pmap, !vadump, vadump, memory region --all, info files, maintenance info sections, maint info sections", plain("::mappings")},
	{"info functions, info fun, funcs", searchSymbols("func")},
	{"info variables, info var, globals", searchSymbols("objt")},
	{"info symbols, symbols", plain("::nm")},
	{"info line", infoLine},
	{"info source", plain("::source")},
	{"info types", typeLine},
	{"list, l, source list, v8 source list, lsa, .lsp, ls, so l", sourceLine},
	{"!analyze, .lastevent, .exr, .ecxr, crashinfo, exploitable", analyzeLine},
	{"info signal, info signals, info siginfo, siginfo", plain("::siginfo")},
	{"info program, process status, target status, process info, status, vertarget, target, info inferiors, info proc, sys, panicinfo", plain("::status")},
	{"info auxv, auxv", plain("::auxv")},
	{"show args, pargs, args show, info args show", plain("::argv")},
	{"show environment, show env, penv, info env, environ", plain("::env")},
	{"locks, !locks, info locks, mutex, findlocks, !cs", plain("::mutexes")},
	{"deadlocks, !deadlock, dlk, !dlk", plain("::deadlock")},
	{"heap", plain("::heapstat")},
	{"heap stat, dumpheap, !dumpheap, dumpheap -stat, !dumpheap -stat, histo, histogram, jmap, jmap -histo, gc.class_histogram", plain("::heapstat")},
	{"leaks, leak, memory leak, memleak, detached", plain("::leaks")},
	{"constructors", plain("::heapstat")},
	{"containment", plain("::dominators")},
	{"retainers", addressed("::gcroot")},
	{"scripts, sources", plain("::jsscripts")},
	{"scope, scopes, closure, variables", plain("::locals")},
	{"this", plain("::print this")},
	{"callstack, call-stack, console.trace()", plain("::stack")},
	{"finish", plain("::frame -u 1")},
	{"continue, run, start, next, step, stepi, nexti, until, advance, info breakpoints, info break, debugger", plain("::status")},
	{"break, b, br, bp, tbreak, hbreak", sourceLine},
	{"watch, rwatch, awatch", printLine},
	{"set print, set pagination, set width, set height, set confirm, set listsize, set logging, set style, set verbose, set history, set disassembly-flavor, set output-radix", plain("::set")},
	{"!gcroot, gcroots, pathto, path2gc", addressed("::gcroot")},
	{"v8 findrefs, findrefs, v8 refs, whereused", addressed("::jsfindrefs")},
	{"v8 inspect, v8 i, v8 print, v8 p, v8 pr, v8 jsprint", addressed("::jsprint")},
	{"v8 findjsobjects, v8 findjsinstances, v8 fjo, findjsinstances", findObjects},
	{"v8 nodeinfo, v8 node, v8 info", plain("::nodeinfo")},
	{"v8 getactivehandles, getactivehandles", plain("::handles")},
	{"v8 getactiverequests, getactiverequests", plain("::requests")},
	{"show version, info version", plain("::version")},
	{"search, searchmem, memory find, findtext, strings", searchText},
	{"shell, platform shell", func(o operands) (string, []string) {
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
			for _, args := range [][]string{nil, {"ADDRESS"}, {"NAME"}} {
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
// taken for, and the operands that it leaves out.
func done(fields []string) (line, phrase string, left []string) {
	lower := make([]string, len(fields))
	for i, f := range fields {
		lower[i] = strings.ToLower(f)
	}
	word, format, _ := strings.Cut(fields[0], "/")
	if strings.HasPrefix(lower[0], "~") {
		if n, ok := windowsThread(lower[0]); ok {
			return n, fields[0], fields[1:]
		}
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
					return line, strings.Join(fields[:n], " "), left
				}
				return "", "", nil
			}
		}
	}
	return "", "", nil
}

// isWindows reports whether a word is WinDbg's alone: its numbers are hexadecimal.
func isWindows(word string) bool {
	switch word {
	case "k", "kb", "kp", "kn", "kv", "kc", "u", "uf", "ln", "dd", "dq", "dw", "db", "da", "du", "dps", "dqs", "dds", "dp", ".frame", "dv", "dt", "lm", "??":
		return true
	}
	return strings.HasPrefix(word, "!") || strings.HasPrefix(word, "~")
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
