package art

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
)

// symRuntime is a Runtime* (runtime/runtime.h), a symbol that libart exports, or
// keeps in its reduced symbol table.
const symRuntime = "_ZN3art7Runtime9instance_E"

// Probe finds ART in a process: by its library, or by registers that lead to its threads. It returns nil, nil
// if the process does not run ART.
func Probe(ctx context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	if t.Process == nil || t.Process.Arch == nil || t.Process.Space == nil || !frame.Supports(t.Process.Arch) {
		return nil, nil
	}
	a := newART(t, findLibart(t.Process))
	if t.SDK != 0 {
		if t.SDK < layout.OldestSDK || t.SDK > layout.NewestSDK {
			return nil, fmt.Errorf("art: %w", errSDK(t.SDK))
		}
		a.asked = t.SDK
	}
	a.Hints = registerHints(a.Memory)
	if a.Module == nil && len(a.Hints) == 0 {
		return nil, nil // nothing leads to a Runtime
	}
	a.choose(a.fits())
	if a.Module == nil {
		// Registers may hold anything: only what fits in all points counts.
		if a.fit.score == 0 || a.fit.score < a.fit.of {
			return nil, nil
		}
		return a, nil
	}
	if a.fit.score < a.fit.of || a.fit.score == 0 {
		a.Hints = append(a.Hints, stackHints(ctx, a.Memory)...)
		a.choose(a.fits())
	}
	if a.fit.score == 0 {
		if a.scanned = a.scanForRuntime(ctx); a.scanned != 0 {
			a.choose(a.fits())
		}
	}
	return a, nil
}

// findLibart returns the module that is ART: libart.so, in Debian libart.so.0,
// or the debug build libartd.so.
func findLibart(p *core.Process) *core.Module {
	for _, m := range p.Modules {
		if n := m.Name(); strings.HasPrefix(n, "libart.so") || strings.HasPrefix(n, "libartd.so") {
			return m
		}
	}
	return nil
}

// registerHints takes the registers of all threads: on x86-64 gs_base is the
// Thread, on arm64 and arm x19 and r9 while managed code runs; and the slot of
// thread-local storage that bionic reserves for ART (TLS_SLOT_ART_THREAD_SELF,
// libc/platform/bionic/tls_defines.h).
func registerHints(m *layout.Memory) []layout.Hint {
	const slotThreadSelf = 7
	var out []layout.Hint
	for _, t := range m.Process.Threads {
		try := func(w uint64, source string) {
			if h := core.Addr(w); m.NamesThread(h, t) {
				out = append(out, layout.Hint{At: h, Source: source})
			}
		}
		if t.Registers != nil {
			for _, r := range t.Registers() {
				if r.Name == "gs_base" {
					try(r.Value, "gs_base")
				}
			}
		}
		if t.TLS != 0 {
			if w, ok := m.Word(t.TLS + slotThreadSelf*core.Addr(m.PtrSize)); ok {
				try(w, "TLS slot 7")
			}
		}
		for i, name := range m.Process.Arch.RegNames {
			if w, ok := t.Regs.Get(i); ok {
				try(w, name)
			}
		}
	}
	return out
}

// maxStackHint is how much of each stack is searched for its art::Thread, in
// words.
const maxStackHint = 16 << 10

// stackHints searches the stacks: nearly every function of ART has the current
// Thread in a register, which callees save.
func stackHints(ctx context.Context, m *layout.Memory) []layout.Hint {
	var out []layout.Hint
	seen := map[core.Addr]bool{}
	for _, t := range m.Process.Threads {
		sp, ok := t.Regs.Get(m.Process.Arch.SP)
		if !ok || ctx.Err() != nil {
			continue
		}
		at := core.Addr(sp).Align(uint64(m.PtrSize))
		for range maxStackHint {
			w, ok := m.Word(at)
			if !ok {
				break
			}
			if h := core.Addr(w); w != 0 && !seen[h] && m.NamesThread(h, t) {
				seen[h] = true
				out = append(out, layout.Hint{At: h, Source: "a word on its stack"})
			}
			at += core.Addr(m.PtrSize)
		}
	}
	return out
}

// A fit is how a layout suits the process: the points that it was tried in.
type fit struct {
	layout  *layout.Layout
	runtime core.Addr
	how     string // how runtime was found
	score   int    // points that hold
	of      int    // points tried
	problem string // the first that does not hold
}

// check counts a point.
func (f *fit) check(ok bool, format string, args ...any) {
	f.of++
	switch {
	case ok:
		f.score++
	case f.problem == "":
		f.problem = fmt.Sprintf(format, args...)
	}
}

// fits tries all layouts, or only the layouts of the requested SDK.
func (a *ART) fits() []fit {
	var out []fit
	for sdk := layout.OldestSDK; sdk <= layout.NewestSDK; sdk++ {
		for _, lib := range []layout.Library{layout.LibCxx, layout.LibStdCxx} {
			if a.asked != 0 && sdk != a.asked {
				continue
			}
			out = append(out, a.try(layout.NewLayout(sdk, a.PtrSize, lib)))
		}
	}
	return out
}

// choose takes the layout that most points speak for. Among equal ones it takes the layout released with the
// version of the oat files, then the newest, and libc++ before libstdc++.
func (a *ART) choose(fits []fit) {
	best := fits[0]
	a.rivals = nil
	oats, _ := a.OatFiles()
	released := func(f fit) bool {
		return len(oats) > 0 && codeinfo.Version(oats[0].File.Version) == codeinfo.OfSDK(f.layout.SDK)
	}
	for _, f := range fits[1:] {
		equal := f.score == best.score && f.of == best.of && f.layout.Library == best.layout.Library
		if f.score > best.score || f.score == best.score && f.of < best.of ||
			equal && (released(f) || !released(best)) {
			best = f
		}
	}
	if released(best) {
		a.use(best)
		return
	}
	for _, f := range fits {
		if f.score == best.score && f.of == best.of && f.layout.SDK != best.layout.SDK &&
			f.layout.Library == best.layout.Library {
			a.rivals = append(a.rivals, f.layout.SDK)
		}
	}
	a.use(best)
}

// runtimes returns the addresses that may be the Runtime's under a layout, with
// how each was found.
func (a *ART) runtimes(l *layout.Layout) (addrs []core.Addr, how []string) {
	add := func(at core.Addr, source string) {
		if at == 0 {
			return
		}
		for i, x := range addrs {
			if x == at {
				if !strings.Contains(how[i], " and ") { // one of each kind is enough
					how[i] += " and " + source
				}
				return
			}
		}
		addrs, how = append(addrs, at), append(how, source)
	}
	if a.Module != nil && a.Symbols != nil {
		if s, ok := a.Symbols.Find(a.Module.Path, symRuntime); ok {
			at, _ := a.Pointer(s.Addr)
			add(at, "symbol Runtime::instance_")
		}
	}
	for _, h := range a.Hints {
		add(a.RuntimeOf(h.At, l), "the JNIEnv of the Thread in "+h.Source)
	}
	add(a.scanned, "scan of memory")
	return addrs, how
}

// try checks a layout against the process.
func (a *ART) try(l *layout.Layout) fit {
	best := fit{layout: l}
	addrs, how := a.runtimes(l)
	for i, at := range addrs {
		f := fit{layout: l, runtime: at, how: how[i]}
		a.tryRuntime(&f)
		a.tryThreads(&f)
		if f.score > best.score || best.runtime == 0 {
			best = f
		}
	}
	return best
}

// tryRuntime checks the members of the Runtime.
func (a *ART) tryRuntime(f *fit) {
	l := f.layout
	methods := 0
	for i := range l.Runtime.CalleeSaveCount {
		// uint64_t in all processes
		if m, ok := a.U64(f.runtime.Add(int64(l.Runtime.CalleeSaveMethods + 8*i))); ok &&
			a.IsRuntimeMethod(core.Addr(m), l) {
			methods++
		}
	}
	f.check(methods == l.Runtime.CalleeSaveCount, "Runtime %v: %d of %d callee-save methods", f.runtime, methods,
		l.Runtime.CalleeSaveCount)
	resolution, _ := a.Pointer(f.runtime.Add(int64(l.Runtime.ResolutionMethod)))
	f.check(a.IsRuntimeMethod(resolution, l), "Runtime %v: resolution_method_ is none", f.runtime)
	vm, _ := a.Pointer(f.runtime.Add(int64(l.Runtime.JavaVM)))
	back, _ := a.Pointer(vm.Add(int64(l.JavaVMExt.Runtime)))
	f.check(back == f.runtime, "Runtime %v: java_vm_ does not lead back", f.runtime)
}

// maxTried bounds the threads and methods that a layout is tried on.
const maxTried = 64

// tryThreads checks the list of threads, the threads, and methods on their
// stacks.
func (a *ART) tryThreads(f *fit) {
	l := f.layout
	list, err := a.ThreadList(f.runtime, l)
	f.check(err == nil && len(list) > 0, "the list of threads: %v", err)
	known, named := 0, 0
	list = list[:min(len(list), maxTried)]
	for _, t := range list {
		tid, ok := a.U32(t.Add(int64(l.Thread.TID)))
		if ok && a.Process.Thread(int(tid)) != nil {
			known++
		}
		at, _ := a.Pointer(t.Add(int64(l.Thread.Name)))
		name := a.ThreadName(at, l)
		if printable(name) {
			named++
		}
	}
	f.check(known > 0, "no thread of the list is one of the core's")
	f.check(2*named > len(list), "%d of %d threads have a name", named, len(list))
	tried, sound := 0, 0
	for _, t := range list {
		for _, m := range a.sampleMethods(t, l) {
			tried++
			if why := a.MethodProblem(m, l); why == "" {
				sound++
			} else if f.problem == "" {
				f.problem = why
			}
		}
	}
	if tried > 0 {
		f.check(sound == tried, "%d of %d methods decode", sound, tried)
	}
}

// printable reports whether a name is made of characters that names have.
func printable(s string) bool {
	for _, r := range s {
		if r < ' ' || r == 0xfffd {
			return false
		}
	}
	return s != ""
}

// sampleMethods returns methods of a thread's fragments, to try a layout on.
func (a *ART) sampleMethods(thread core.Addr, l *layout.Layout) []core.Addr {
	var out []core.Addr
	all, _ := a.FragmentsWith(thread, l)
	for _, f := range all[:min(len(all), maxTried)] {
		if f.ShadowFrame != 0 {
			if m, ok := a.Pointer(f.ShadowFrame.Add(int64(l.ShadowFrame.Method))); ok {
				out = append(out, m)
			}
		} else if f.QuickFrame != 0 {
			if m, ok := a.Pointer(f.QuickFrame); ok {
				out = append(out, m)
			}
		}
	}
	return out
}
