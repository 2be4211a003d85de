package foreign

// A Phrase is a phrase of other debuggers, with its counterpart here.
type Phrase struct {
	// words are the spellings, separated by commas. A word of several is
	// recognized by its beginning as well: "info reg", "info r".
	words string
	// here names the commands that answer the same question.
	Here string
	// run is the one of them that is run where the words, with their operands, are not done in a better way; "" if
	// each needs an operand.
	run string
}

// phrases are the words of gdb, lldb, delve, WinDbg, llnode, crash, dotnet-dump, jdb and the JDK's tools, and
// the words of MDB that do not exist here, each with the command that answers the question behind it. Sources:
// the manuals of these programs, and mdb(1).
var phrases = []Phrase{
	// Stacks.
	{"bt, backtrace, where, w, info stack, info s, thread backtrace, stack, kb, k, kp, kn, kv, kc, pstack, gstack, thread info, stackregs",
		"::stack, the stack of a thread; $C has frame pointers", "::stack"},
	{"bt full, bt -f, backtrace full, where full, bt -full",
		"::stack, then ::locals -A, the variables of all its frames", "::locals -A"},
	{"bt all, thread apply all, thread apply all bt, thread apply, thr a a bt, t a a bt, t a a, taas, thread backtrace all, where all, stacks, foreach bt, bt -a, " +
		"~k, ~*k, ~*kb, ~*kp, ~*kn, ~kb, ~kp, ~kn, !uniqstack, uniqstack, !stacks, pstacks, parallelstacks, bt unique, jcmd, thread.print, threadlist, eu-stack",
		"::stacks, equal ones once; ::stacks -a shows each", "::stacks"},
	{"goroutines, grs, gr, info goroutines, goroutines -t, goroutines -g, thread apply all goroutine",
		"::goroutines, ::goroutines -v with stacks, ::goroutine N for one", "::goroutines"},
	{"frame, f, up, down, up-silently, down-silently, .frame, frame select, frame info, info frame, select-frame, deferred, set frame, inspect frame",
		"::frame N, as ::stack numbers them; FP::jsframe, FP::javaframe", "::frame"},
	{"info locals, info args, locals, args, dv, frame variable, fr v, info scope, clrstack -p, clrstack -l, clrstack -a, whatis locals",
		"::locals, ::args; ::jsstack -l, ::javastack -l", "::locals"},
	{"v8 bt, jst, jstk, jsbt, js bt", "::jsstack, or ::stack with the native frames", "::jsstack"},
	{"clrstack, !clrstack, jstack, dumpstack, !dumpstack, eestack, !eestack, javabt, jbt",
		"::javastack and ::jsstack, or ::stack with the native frames", "::stack"},

	// Threads.
	{"info threads, thread list, threads, clrthreads, !threads, ~, ~*, info thread, ps, thread_list, threadlist -v, jthreads, plist, lwps, ulwp, ulwps, pgrep, ptree, pid2proc, task, foreach, process, info inferiors, info proc, proc, process status, cpus, runq",
		"::threads, and ::status for the process", "::threads"},
	{"thread, t, thread select, setthread, ~s, .thread, thread find, tid",
		"0t1234::thread makes it the current one; ::threads lists them", "::threads"},

	// Registers and memory.
	{".cxr, coroutine, qemu coroutine, co_bt", "ADDRESS::ucontext | ::stack, from the registers that it holds on",
		"::regs"},
	{"info registers, info reg, info regs, i r, register read, registers, regs, r, info r, i reg, register, rex, rm, getregs",
		"::regs, or <rip=K for one", "::regs"},
	{"info float, info vector, rf, info all-registers", "::fpregs, or ::regs -a for all", "::regs -a"},
	{"x, examinemem, memory read, rd, examine, memory region, d, dd, dq, db, dc, da, du, dw, dp, dps, dds, dqs, df, dyb, dyd, hexdump, xxd, md, mem, vread, pread",
		"ADDRESS/X (::formats), ADDRESS::examine, ADDRESS::dump", "<sp::dump"},
	{"p, print, po, call, expr, expression, output, inspect, display, info display, undisplay, dx, p/x, p/d, explore",
		"::print NAME.MEMBER, EXPRESSION=X, ::jsprint, ::javaprint", "::locals"},
	{"echo", "::echo TEXT", ""},
	{"eval", "::eval STATEMENT; ::print NAME.MEMBER, EXPRESSION=X", ""},
	{"whatis", "::print NAME for a value and its type, ADDRESS::whatis", "::locals -t"},
	{"print type, dt, ptype, ptype/o, type, struct, union, list struct, offsetof, typelist, typedef, enum, info types, pahole, dtx, type lookup, xdata, cast, members",
		"::ptype TYPE, ::print TYPE, ::sizeof, ::offsetof, ::whattype", "::types"},
	{"disassemble, disas, disass, disassembler, di, u, uf, ub, dis, disasm, layout asm, layout, dismode, disasms, disassem",
		"FUNCTION::dis, ::dis at the current frame; -S has the source", "::dis"},
	{"find", "::findstr for text, ADDRESS::ugrep for pointers; ::find, objects", ""},
	{"search, memory find, s -a, s -d, s -u, searchmem, findtext, strings, searchtext",
		"::findstr for text, ADDRESS::ugrep for pointers to it", ""},
	{"info symbol, info sym, info line, image lookup, im loo, ln, sym, symbol, info address, findpc, !lno, source info, info source, target modules lookup, addr2line, findsym, !address, address, kgrep, !pte, pte, vtop, vtop -u, whatthread",
		"ADDRESS::whatis, ADDRESS=a for its name, ADDRESS::ugrep", "::frame -v"},
	{"info functions, info variables, info fun, info var, funcs, symbols, nmlist, info symbols, globals, gsym, image dump, files -s",
		"::nm lists the symbols, ::nm ! grep NAME some of them", "::nm"},

	{"vars", "::nm lists the symbols, ::vars the debugger's own variables", "::nm -C -t objt,tls"},

	// The address space.
	{"info proc mappings, info proc map, info mappings, vmmap, maps, vm, vmmap -v, !vadump, pmap, memory region --all, maintenance info sections, maint info sections, info files, info target, info mem, vadump, !vprot, eeheap, !eeheap, maddress, addr2smap, smaps",
		"::mappings; ::v8spaces and ::javaspaces for managed heaps", "::mappings"},
	{"info sharedlibrary, info shared, info sh, image list, im li, target modules list, lm, lmv, lmvm, lmf, modules, libs, libraries, mod, info dll, dumpmodule, !dlls, ldd, pldd, linkmap, showrev, info libraries, .reload, lmm, dumpdomain, !dumpdomain, sharedlibrary, symbol-file, add-symbol-file, file, core-file, directory, dir, set substitute-path, exec-file, set solib-search-path, set debug-file-directory, target create, .sympath, .symfix, image search-paths",
		"::objects -v; -sysroot, -search and -debug-dir name folders", "::objects"},
	{"set debuginfod enabled, set debuginfod urls, show debuginfod, debuginfod, debuginfod-find",
		"::objects -v; DEBUGINFOD_URLS names servers; coredbg fetch", "::objects -v"},

	// Why it died.
	{"analyze, !analyze, .ecxr, .exr, .lastevent, !gle, !error, info signal, info signals, info siginfo, info program, crashinfo, crash, target, process info, panicinfo, msgbuf, .bugcheck, triage, reason, why, signal info, exchain, !exchain, verdict, summary, sys, vertarget, info, status, target status, mach, dmesg, log --dmesg, !process, exploitable",
		"::analyze, ::status, ::siginfo; ::why COMMAND", "::analyze"},
	{"pe, printexception, !pe, !printexception, exception, v8 inspect error, catch, info catch, info exceptions, jexception, !cppexr",
		"::jserror, ::javaexception, ::nodefatal", "::jserror"},
	{"info auxv, auxv, pargs, penv, environ, envs, args show, info env, show args, show environment, show env, peb, !peb, teb, !teb, pfiles, fd, fds, !handle, handle, info os, net, dev, files, lsof, ps -a, pcred, pflags, psig",
		"::argv, ::env, ::auxv; open files are not in a core", "::status -v"},
	{"runaway, !runaway, time, uptime, timer, pcpu", "a core has no clocks; ::stacks shows what each thread did",
		"::stacks"},
	{"info line number, source, v8 source list, v8 source, tui, ls, l, source list, layout src, layout source, lsa, .lsp, edit",
		"::source, and lines in ::stack; ::jssource for JavaScript", "::source"},
	{"list", "::source, and lines in ::stack; ::list steps through a list", "::source"},
	{"locks, !locks, syncblk, !syncblk, info locks, deadlocks, !deadlock, dlk, !dlk, !cs, monitors, thread info -l, findlocks, jlocks, mutex, wchan, lockinfo, cs",
		"::deadlock, ::mutexes, ::javamonitors", "::mutexes"},

	// JavaScript: llnode and the names of mdb_v8 without colons.
	{"v8 findjsobjects, v8 findjsinstances, findjsinstances, v8 fjo, heap, !heap, heap stat, jmap, jmap -histo, histo, histogram, dumpheap, !dumpheap, dumpheap -stat, gcheapstat, !dumpheap -stat, universe, jhat, gc.heap_info, gc.class_histogram, dso, !dso, dumpstackobjects, heapinfo, objsize, !objsize, gchandles, !gchandles, dumpgen, kmem, kmastat, memstat, umastat, umem_status, umem_cache, umausers, umem_log, umem_malloc_dist, umem_verify, malloc_info, bufctl, bufctl_audit, kmausers, !heap -s, analyzeoom, classes -stat, meminfo",
		"::heapstat, ::dominators, ::findjsobjects, ::javaheap", "::heapstat"},
	{"leaks, findleaks, leak, memory leak, memleak, heaptrack, valgrind",
		"::findleaks for C; ::heapstat, ::leaks, ::dominators", "::findleaks"},
	{"heap chunks, heap chunk, heap bins, heap arenas, bins, tcachebins, fastbins, vis_heap_chunks, vis, malloc_chunk, top_chunk, malloc_stats, mallinfo", "::malloc, ::walk chunk, ADDRESS::chunk; ADDRESS::whatis", "::malloc"},
	{"hprof, heap dump, heap_dump, gc.heap_dump", "::hprof FILE for Java's heap, ::heapsnapshot FILE for V8's", ""},
	{"v8 inspect, v8 i, v8 print, v8 p, v8 pr, do, dumpobj, !do, !dumpobj, dumparray, !da, dumpvc, dumpobject, clhsdb inspect, v8 jsprint, dumpclass, !dumpclass, dumpmt, !dumpmt, object, obj, instance",
		"ADDRESS::jsprint, ::jsprint NAME.MEMBER, ADDRESS::javaprint", "::locals"},
	{"v8 findrefs, findrefs, !gcroot, gcroots, pathto, retainers, paths, path2gc, merge_shortest_paths, revptrs, v8 refs, scanoops, whereused, finalizequeue, !finalizequeue, findreference",
		"ADDRESS::gcroot, ADDRESS::refby, ADDRESS::jsfindrefs (weak, too)", "::dominators"},
	{"v8 nodeinfo, nodeinfo, v8 node, v8 info, node, process.version, eeversion, !eeversion, jinfo, vm.version, jps, sysprops, runtimeinfo, vm.info",
		"::nodeinfo, ::v8version, ::artversion", "::dmods"},
	{"v8 getactivehandles, v8 getactiverequests, getactivehandles, getactiverequests, v8 workqueue, workqueue, timerinfo, threadpool, dumpasync, taskstate, eventloop, v8 uv",
		"::uvloop, ::handles, ::requests, ::timers, ::promises", "::uvloop"},
	{"v8, sos, js, soshelp, !sos, !help sos, .loadby, .load, loadby, plugin, plugin load, command script import, addon, java, art, jdb, dotnet",
		"nothing has to be loaded; ::dmods, ::v8version, ::artversion", "::dmods"},
	{"ip2md, !ip2md, name2ee, !name2ee, dumpmd, jdis, dumpmethodsig, v8 code, method, clru, !u",
		"ADDRESS::v8code, ADDRESS::codeinfo, ADDRESS::artmethod", "::stack"},
	{"dumpclasses, classes, class, jclass, loadedclasses, classloader, clstats, class hierarchy, vm.classloader_stats, methods, fields",
		"::javaclass, ::classloaders", "::classloaders"},
	{"verifyheap, !verifyheap, verify, v8 verify", "::v8verify, ::javaspaces -c", "::v8verify"},

	// Running, which a core cannot.
	{"run, r args, start, starti, continue, cont, c, g, gu, gh, step, s, stepi, si, next, nexti, n, ni, finish, fin, until, advance, thread step-in, thread step-over, thread step-out, thread continue, process launch, process attach, attach, pt, reverse-continue, rc, reverse-step, rsi, kill, signal, jump, j, call f, watch, awatch, rwatch, break, b, br, breakpoint, br s, tbreak, hbreak, bp, bu, ba, bl, bc, bd, be, info breakpoints, info b, delete, disable, enable, trace, record, checkpoint, restart, rebuild, stepout, so, process continue, detach process, step-instruction, cond, condition, toggle, clearall, wp, release, sigbp, fltbp, sysbp, events, evset, obey, continue 1, gdbserver, target remote, remote, inferior",
		"nothing runs in a core; ::status says why it died, ::stack where", "::status"},
	{"set var, set variable, ed, eb, eq, memory write, register write, poke, write, patch, eza, reopen",
		"a core is not changed; VALUE>NAME makes a variable (::vars)", "::status"},
	{"core, gcore, generate-core-file, .dump, process save-core, dump, save-core, minidump, writemem, collect, dump binary, dump memory",
		"ADDRESS::dump for bytes; in the shell: coredbg bundle", "::status"},

	// The debugger itself.
	{"apropos, help all, commands, .chain, list commands, dcmds, settings", "::dcmds WORD, ::help COMMAND", "::dcmds"},
	{"version, show version, about, info version", "::version", "::version"},
	{"show, info set, setting, settings set, set pagination off, set pagination, set print, set width, set height, settings show, config, options, set logging, set confirm off, set confirm, set args, set disassembly-flavor, set sysroot, set history, .prompt, prompt, set prompt, set radix, term",
		"::set; $d is the radix, $P the prompt", "::set"},
	{"log, .logopen, .logclose, logging, set logging on, logopen, tee, script, transcript", "::log -e FILE", ""},
	{"shell, clear, cls, .cls, make, cd, pwd, .shell, platform shell, sh, pipe, system, cmd",
		"! COMMAND, or after a command: ::threads ! grep main", ""},
	{"source script, source file, command source, commandfile, run script, so file, python, script python, pi, guile, command",
		"$<FILE runs a script, ::eval a statement", ""},
	{"history, show commands, !history, show history, hist", "the arrow keys; ::log -e FILE keeps a session", ""},
	{"macro, define, command alias, as, ad, document, unload",
		"::alias NAME=LINE, -load FILE, ::dmods", "::alias"},
}
