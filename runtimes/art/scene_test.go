package art

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
	"coredbg/walk"
)

// A scene is a process laid by hand as a layout has it: a Runtime, threads with
// ShadowFrames and with quick frames, and the dex file sample.Debug.
type scene struct {
	t    testing.TB
	arch *core.Arch
	l    *layout.Layout
	mem  map[core.Addr][]byte // regions by start
	dex  *dex.File
	tids []int
	sp   map[int]core.Addr
	self map[int]core.Addr // art::Thread by tid
	// reg is the register that leads to the Thread; "" for a word on the stack,
	// "nowhere" for nothing.
	reg string
}

// Addresses; all fit into 32 bits.
const (
	sceneHeap     core.Addr = 0x12c00000
	sceneDex      core.Addr = 0x30000000
	sceneText     core.Addr = 0x40000000 // of libart
	sceneNative   core.Addr = 0x50000000
	sceneStack    core.Addr = 0x60000000
	sceneRuntime            = sceneNative
	sceneList               = sceneNative + 0x4000 // ThreadList
	sceneThreads            = sceneNative + 0x8000
	sceneEnvs               = sceneNative + 0x18000
	sceneVM                 = sceneNative + 0x19000
	sceneNames              = sceneNative + 0x1a000
	sceneSaves              = sceneNative + 0x1b000 // callee-save methods
	sceneMethods            = sceneNative + 0x1c000
	sceneDexFile            = sceneNative + 0x1d000
	sceneNodes              = sceneNative + 0x1e000
	javaLangClass           = sceneHeap
	debugClass              = sceneHeap + 0x100
	debugCache              = sceneHeap + 0x300
)

// Bits of access_flags_, by libdexfile/dex/modifiers.h.
const (
	bitStatic       = 0x8
	bitSynchronized = 0x20
	bitNative       = 0x100
)

// The code items of sample.Debug, and places in them with their lines, as
// dexdump prints them.
const (
	codeParams, codeMixed = 0x360, 0x378
	pcParams, lineParams  = 1, 65536
	pcMixed, lineMixed    = 3, 3000
)

func newScene(t testing.TB, arch *core.Arch, l *layout.Layout) *scene {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("dex", "testdata", "debug.dex"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := dex.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, arch: arch, l: l, dex: f, sp: map[int]core.Addr{}, self: map[int]core.Addr{},
		reg: arch.RegNames[3],
		mem: map[core.Addr][]byte{sceneHeap: make([]byte, 0x1000), sceneNative: make([]byte, 0x20000),
			sceneStack: make([]byte, 0x10000),
			sceneDex:   b, sceneText: make([]byte, 0x10000)}}
	s.layRuntime()
	s.layClass()
	return s
}

// put writes a number of n bytes.
func (s *scene) put(at core.Addr, n int, v uint64) {
	for start, b := range s.mem {
		if off := at - start; off < core.Addr(len(b)) {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], v)
			copy(b[off:], w[:n])
			return
		}
	}
	s.t.Fatalf("%v is nowhere", at)
}

func (s *scene) ptr(at core.Addr, v core.Addr) { s.put(at, s.l.PtrSize, uint64(v)) }
func (s *scene) u32(at core.Addr, v uint32)    { s.put(at, 4, uint64(v)) }

// str lays a std::string with its text after it.
func (s *scene) str(at core.Addr, text string) {
	w := core.Addr(s.l.PtrSize)
	data := at + 4*w
	if s.l.Library == layout.LibStdCxx {
		s.ptr(at, data)
	} else {
		s.ptr(at, 1|64)
		s.ptr(at+2*w, data)
	}
	s.ptr(at+w, core.Addr(len(text)))
	s.text(data, text)
}

func (s *scene) text(at core.Addr, text string) {
	for i := range len(text) {
		s.put(at+core.Addr(i), 1, uint64(text[i]))
	}
}

func off(at core.Addr, n int) core.Addr { return at.Add(int64(n)) }

func (s *scene) layRuntime() {
	l := s.l
	save := func(i int) core.Addr { return sceneSaves + core.Addr(64*i) }
	for i := range l.Runtime.CalleeSaveCount + 3 {
		s.u32(off(save(i), l.ArtMethod.DexMethodIndex), 0xffffffff)
	}
	for i := range l.Runtime.CalleeSaveCount {
		s.put(off(sceneRuntime, l.Runtime.CalleeSaveMethods+8*i), 8, uint64(save(i)))
	}
	s.ptr(off(sceneRuntime, l.Runtime.ResolutionMethod), save(l.Runtime.CalleeSaveCount))
	s.ptr(off(sceneRuntime, l.Runtime.ThreadList), sceneList)
	s.ptr(off(sceneRuntime, l.Runtime.JavaVM), sceneVM)
	s.ptr(off(sceneVM, l.JavaVMExt.Runtime), sceneRuntime)
	head := off(sceneList, l.ThreadList.List)
	s.ptr(head, head)
}

// layClass lays the class sample.Debug with its methods params, mixed, and
// bare, which is a native one here.
func (s *scene) layClass() {
	l := s.l
	s.u32(javaLangClass, uint32(javaLangClass))
	s.u32(debugClass, uint32(javaLangClass))
	s.u32(off(debugClass, l.Class.DexCache), uint32(debugCache))
	s.u32(debugCache, uint32(debugClass))
	s.put(off(debugCache, l.DexCache.DexFile), 8, uint64(sceneDexFile))
	s.ptr(off(sceneDexFile, l.DexFile.Begin), sceneDex)
	s.ptr(off(sceneDexFile, l.DexFile.Size), core.Addr(len(s.mem[sceneDex])))
	s.str(off(sceneDexFile, l.DexFile.Location), "debug.dex")
	s.method("params", dex.AccStatic, codeParams)
	s.method("mixed", 1, codeMixed)
	s.method("bare", dex.AccStatic|bitNative, 0)
}

// methodAt returns the ArtMethod of a method of sample.Debug.
func (s *scene) methodAt(name string) core.Addr {
	return sceneMethods + 64*core.Addr(slices.Index([]string{"params", "mixed", "bare"}, name))
}

func (s *scene) method(name string, access uint32, code uint32) {
	l, at := s.l, s.methodAt(name)
	s.u32(off(at, l.ArtMethod.DeclaringClass), uint32(debugClass))
	s.u32(off(at, l.ArtMethod.AccessFlags), access)
	for i := range s.dex.MethodIDs.Size {
		if m, err := s.dex.Method(i); err == nil && m.Name == name {
			s.u32(off(at, l.ArtMethod.DexMethodIndex), i)
		}
	}
	switch {
	case code == 0:
	case l.ArtMethod.DexCodeItemOffset != layout.Unknown:
		s.u32(off(at, l.ArtMethod.DexCodeItemOffset), code)
	default:
		s.ptr(off(at, l.ArtMethod.Data), sceneDex+core.Addr(code))
	}
}

// state gives the art::Thread at an address a state of today; 8 had two states less that wait, 9 one less before
// Native.
func (s *scene) state(t core.Addr, state string) {
	l := s.l
	number := map[string]uint32{"Runnable": 67, "Blocked": 70, "Waiting": 71, "Native": 92}[state]
	switch {
	case number == 0:
		s.t.Fatalf("state %q", state)
	case state == "Runnable" && l.SDK >= 33:
		number = 0
	case state == "Native" && l.SDK <= 27:
		number = 89
	case state == "Native" && l.SDK == 28:
		number = 91
	}
	s.u32(off(t, l.Thread.StateAndFlags), number<<l.Thread.StateShift)
}

// thread adds a thread of the given state; its stack is 0x4000 bytes.
func (s *scene) thread(tid int, name, state string) core.Addr {
	l, i := s.l, core.Addr(len(s.tids))
	t := sceneThreads + 0x2000*i
	s.state(t, state)
	s.u32(off(t, l.Thread.TID), uint32(tid))
	s.u32(off(t, l.Thread.ThinLockID), uint32(i)+1)
	env := sceneEnvs + 0x100*i
	s.ptr(off(t, l.Thread.JNIEnv), env)
	s.ptr(off(env, l.JNIEnvExt.Self), t)
	s.ptr(off(env, l.JNIEnvExt.VM), sceneVM)
	at := sceneNames + 0x100*i
	s.ptr(off(t, l.Thread.Name), at)
	if l.Thread.NameIsCString != 0 {
		s.text(at, name)
	} else {
		s.str(at, name)
	}
	stack := sceneStack + 0x4000*i
	s.ptr(off(t, l.Thread.StackBegin), stack)
	s.ptr(off(t, l.Thread.StackSize), 0x4000)
	s.sp[tid], s.self[tid] = stack+0x100, t
	s.tids = append(s.tids, tid)
	// The list, by its links.
	head := off(sceneList, l.ThreadList.List)
	node, last := sceneNodes+0x40*i, head
	if i > 0 {
		last = sceneNodes + 0x40*(i-1)
	}
	s.ptr(last, node)
	s.ptr(node, head)
	s.ptr(node+2*core.Addr(l.PtrSize), t)
	return t
}

// fragment lays a ManagedStack.
func (s *scene) fragment(at, quick, link, shadow core.Addr) {
	w := core.Addr(s.l.PtrSize)
	s.ptr(at, quick)
	s.ptr(at+w, link)
	s.ptr(at+2*w, shadow)
}

// shadow lays a ShadowFrame of a method.
func (s *scene) shadow(at, link core.Addr, method string, pc uint32, vregs ...uint32) {
	l := &s.l.ShadowFrame
	s.ptr(off(at, l.Link), link)
	s.ptr(off(at, l.Method), s.methodAt(method))
	s.u32(off(at, l.NumVRegs), uint32(len(vregs)))
	s.u32(off(at, l.DexPC), pc)
	for i, v := range vregs {
		s.u32(off(at, l.VRegs+4*i), v)
	}
}

// nterp lays a frame of nterp, returns its size.
func (s *scene) nterp(a *ART, at core.Addr, method string, pc uint32, ret core.Addr) core.Addr {
	m := a.Method(s.methodAt(method))
	if m.Code == nil {
		s.t.Fatalf("%s: no frame of nterp: %s", method, m.Problem)
	}
	// runtime/nterp_helpers.cc: the method, the outs, the dex pc, the caller's frame pointer, references,
	// registers, and the registers saved on entry.
	word, outs, entry := core.Addr(s.l.PtrSize), m.Code.Outs, map[*core.Arch]core.Addr{core.AMD64: 88, core.ARM64: 160,
		core.I386: 32, core.ARM: 100}[s.arch]
	if s.arch == core.I386 {
		outs = max(outs, 3)
	}
	dexPC := word + 4*core.Addr(outs)
	size := (dexPC + 2*word + 8*core.Addr(m.Code.Registers) + entry + 15) &^ 15
	if s.l.SDK > 30 {
		dexPC = (dexPC + word - 1) &^ (word - 1)
	}
	s.ptr(at, m.Addr)
	s.ptr(at+dexPC, m.Code.Insns+core.Addr(2*pc))
	s.ptr(at+size-word, ret)
	return size
}

// open makes the process.
func (s *scene) open() *core.Process {
	b := coretest.New(s.arch)
	starts := []core.Addr{}
	for start := range s.mem {
		starts = append(starts, start)
	}
	slices.Sort(starts)
	for _, start := range starts {
		prot := core.Read | core.Write
		if start == sceneText || start == 0x20000000 { // code of the JIT
			prot = core.Read | core.Exec
		}
		b.MapProt(start, s.mem[start], prot)
	}
	b.Module("/apex/com.android.art/lib64/libart.so", sceneText, sceneText+0x10000, core.ModuleFacts{})
	for _, tid := range s.tids {
		regs := map[string]uint64{s.arch.RegNames[s.arch.SP]: uint64(s.sp[tid]),
			s.arch.RegNames[s.arch.PC]: uint64(sceneText + 0x8000)}
		switch s.reg {
		case "nowhere":
		case "":
			s.ptr(s.sp[tid]+0x20, s.self[tid])
		default:
			regs[s.reg] = uint64(s.self[tid])
		}
		b.Thread(tid, regs)
	}
	return b.Process()
}

// probe opens the scene and finds ART in it.
func (s *scene) probe() (*core.Process, *ART) {
	s.t.Helper()
	p := s.open()
	return p, s.find(p, nil)
}

// find finds ART in a process.
func (s *scene) find(p *core.Process, files find.Finder) *ART {
	s.t.Helper()
	r, err := Probe(context.Background(), runtimes.Target{Process: p, Symbols: sym.NewTable(p), Files: files})
	if err != nil || r == nil {
		s.t.Fatalf("Probe: %v, %v", r, err)
	}
	return r.(*ART)
}

// javaFrames walks a thread and returns its Java frames.
func javaFrames(p *core.Process, a *ART, tid int) (out []string) {
	th := p.Thread(tid)
	for f, err := range walk.NewTarget(p, walk.Options{}).Walk(context.Background(), th, a.Begin(th)) {
		if err != nil {
			break
		}
		sources, _ := a.Decode(&f)
		for _, x := range sources {
			out = append(out, fmt.Sprintf("%s:%d %s", x.Name, x.Line, x.Tier))
		}
	}
	return out
}

// order walks a thread and returns the program counters of its frames, with a
// star for each that no machine frame comes after.
func order(p *core.Process, a *ART, tid int) string {
	var out []string
	th := p.Thread(tid)
	for f, err := range walk.NewTarget(p, walk.Options{}).Walk(context.Background(), th, a.Begin(th)) {
		if err != nil {
			break
		}
		if f.Point == walk.Virtual {
			out = append(out, "*")
		} else {
			out = append(out, fmt.Sprintf("%x", uint64(f.PC)))
		}
	}
	return strings.Join(out, " ")
}

// fuzzed probes a process that may not look like one of ART any more.
func fuzzed(t *testing.T, p *core.Process) *ART {
	r, err := Probe(context.Background(), runtimes.Target{Process: p, Symbols: sym.NewTable(p)})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := r.(*ART)
	return a
}
