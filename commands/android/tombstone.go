package android

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
)

var tombstoneCommands = []commands.Command{{
	Name: "tombstone", Module: "native", Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'b', Help: "no memory near registers and no memory map"}},
	Summary: "print the crash as Android's debuggerd does",
	Detail: `The crashed thread with its registers, backtrace, and memory near them; the other
threads; the memory map. Tools that read tombstones read it. Facts that a core does not
have (the build's fingerprint, the time, the process' uptime) are left out. Frames of
managed code have their method and place.`,
	Example: "::tombstone -b",
	SeeAlso: []string{"status", "stacks", "regs", "mappings"},
	Run:     runTombstone,
}}

// A tombstone is what debuggerd writes (system/core,
// debuggerd/libdebuggerd/tombstone_proto_to_text.cpp).
type tombstone struct {
	_       out.Record             `record:"tombstone"`
	ABI     string                 `json:"abi,omitempty"`
	CmdLine string                 `json:"cmdline,omitempty"`
	PID     int                    `json:"pid,omitempty"`
	UID     *int                   `json:"uid,omitempty"`
	Signal  *commands.SignalRecord `json:"signal,omitempty"`
	Cause   string                 `json:"cause,omitempty"`
	Abort   string                 `json:"abort_message,omitempty"`
	Threads []*tombstoneThread     `json:"threads"`

	each    iter.Seq[*tombstoneThread] // walks the threads, the crashed one first
	program string
	ptr     int
	memory  []memoryNear
	maps    []core.Mapping
	buildID func(core.Addr) string
}

// A tombstoneThread is a thread with its stack.
type tombstoneThread struct {
	*commands.ThreadRecord
	regs []core.Register
}

// MarshalJSON gives the thread's stack.
func (t *tombstoneThread) MarshalJSON() ([]byte, error) { return t.ThreadRecord.MarshalJSON() }

// Addr reports that a tombstone has no address.
func (*tombstone) Addr() (core.Addr, bool) { return 0, false }

func runTombstone(ctx context.Context, c *commands.Call) error {
	s := c.Session
	p := s.Process
	if len(p.Threads) == 0 || p.Arch == nil {
		return commands.NoThreads(p)
	}
	t := &tombstone{ABI: p.Arch.Android, CmdLine: p.CommandLine(), PID: p.PID, ptr: p.Arch.PtrSize}
	if uid := p.UID; uid >= 0 {
		t.UID = &uid
	}
	program, _, _ := strings.Cut(t.CmdLine, " ")
	t.program = cmp.Or(program, p.Exe, "<unknown>")
	if p.Signal != nil {
		t.Signal = commands.NewSignalRecord(p.Signal)
		if p.Signal.Name == "SIGSEGV" && p.Signal.HasAddr && p.Signal.Addr < pageBytes {
			t.Cause = "null pointer dereference"
		}
		for _, cause := range s.Causes(ctx) {
			if cause.Kind == runtimes.AbortMessage {
				t.Abort = cause.Message
			}
		}
	}
	t.buildID = func(pc core.Addr) string {
		if m := p.Module(pc); m != nil {
			return core.BuildIDString(m.Facts().BuildID)
		}
		return ""
	}
	order := slices.Clone(p.Threads)
	slices.SortStableFunc(order, func(a, b *core.Thread) int { return rank(a) - rank(b) })
	t.each = func(yield func(*tombstoneThread) bool) {
		for st := range s.Stacks.All(ctx, order, stack.Options{Hold: commands.Hold}) {
			if !yield(&tombstoneThread{&commands.ThreadRecord{Stack: st}, p.Registers(st.Thread)}) {
				return
			}
		}
	}
	if !c.Flag('b') {
		t.memory = memoryNearRegisters(p, p.Registers(order[0]), tombstoneRows[t.ABI])
		t.maps = p.Mappings
	}
	if err := c.Emit(t); err != nil {
		return err
	}
	return ctx.Err()
}

// JSON implements out.Formed: the record with its threads.
func (t *tombstone) JSON() any {
	whole := *t
	whole.Threads = []*tombstoneThread{}
	for th := range t.each {
		whole.Threads = append(whole.Threads, th)
	}
	return &whole
}

// Long implements out.Long: there may be very many threads.
func (t *tombstone) Long() (head any, key string, list iter.Seq[any]) {
	type plain tombstone // without JSON
	whole := plain(*t)
	whole.Threads = []*tombstoneThread{}
	return &whole, "threads", func(yield func(any) bool) {
		for th := range t.each {
			if !yield(th.ThreadRecord) {
				return
			}
		}
	}
}

const pageBytes = 4096

// rank puts the crashed thread first.
func rank(t *core.Thread) int {
	if t.Crashed {
		return 0
	}
	return 1
}

// Text writes the tombstone, each thread as it is walked: there may be very many.
func (t *tombstone) Text(w *out.Writer) {
	w.Printf("*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n")
	if t.ABI != "" {
		w.Printf("ABI: '%s'\n", t.ABI)
	}
	if t.CmdLine != "" {
		w.Printf("Cmdline: %s\n", sym.Clean(t.CmdLine))
	}
	i := -1
	for th := range t.each {
		if i++; i > 0 {
			w.Printf("--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---\n")
		}
		pid := "<unknown>"
		if t.PID != 0 {
			pid = strconv.Itoa(t.PID)
		}
		w.Printf("pid: %s, tid: %d, name: %s  >>> %s <<<\n", pid, th.Thread.TID,
			sym.Clean(cmp.Or(th.Name, "<unknown>")), sym.Clean(t.program))
		if t.UID != nil {
			w.Printf("uid: %d\n", *t.UID)
		}
		if i == 0 {
			t.signal(w)
		}
		t.registers(w, th.regs)
		t.backtrace(w, th)
		if i == 0 {
			for _, m := range t.memory {
				m.text(w, t.ptr)
			}
			t.memoryMap(w)
		}
		if w.Err() != nil {
			return
		}
	}
}

// signal writes why the process died.
func (t *tombstone) signal(w *out.Writer) {
	if g := t.Signal; g != nil {
		fault := "--------"
		if g.Addr != nil {
			fault = fmt.Sprintf("0x%0*x", 2*t.ptr, uint64(*g.Addr))
		}
		code := g.CodeName
		if code == "" {
			code = "?"
		}
		number := 0
		if g.Code != nil {
			number = *g.Code
		}
		w.Printf("signal %d (%s), code %d (%s), fault addr %s\n", g.Number, g.Name, number, code, fault)
	}
	if t.Cause != "" {
		w.Printf("Cause: %s\n", t.Cause)
	}
	if t.Abort != "" {
		w.Printf("Abort message: '%s'\n", sym.Clean(t.Abort))
	}
}

// tombstoneRows are debuggerd's rows of registers
// (debuggerd/libdebuggerd/utility.cpp, log_registers).
var tombstoneRows = map[string][][]string{
	"x86_64": {{"rax", "rbx", "rcx", "rdx"}, {"r8", "r9", "r10", "r11"}, {"r12", "r13", "r14", "r15"}, {"rdi", "rsi"},
		{"rbp", "rsp", "rip"}},
	"x86": {{"eax", "ebx", "ecx", "edx"}, {"edi", "esi"}, {"ebp", "esp", "eip"}},
	"arm": {{"r0", "r1", "r2", "r3"}, {"r4", "r5", "r6", "r7"}, {"r8", "r9", "r10", "r11"}, {"ip", "sp", "lr", "pc"}},
	"arm64": {{"x0", "x1", "x2", "x3"}, {"x4", "x5", "x6", "x7"}, {"x8", "x9", "x10", "x11"},
		{"x12", "x13", "x14", "x15"},
		{"x16", "x17", "x18", "x19"}, {"x20", "x21", "x22", "x23"}, {"x24", "x25", "x26", "x27"}, {"x28", "x29"},
		{"lr", "sp", "pc", "pst"}},
}

// registerAliases are the names that cores use for debuggerd's.
var registerAliases = map[string]string{"lr": "x30", "pst": "pstate", "ip": "r12"}

// registerNamed finds a register by debuggerd's name.
func registerNamed(regs []core.Register, name string) (core.Register, bool) {
	for _, n := range []string{name, registerAliases[name]} {
		if i := slices.IndexFunc(regs, func(g core.Register) bool { return g.Name == n && g.Bytes == nil }); i >= 0 &&
			n != "" {
			return regs[i], true
		}
	}
	return core.Register{}, false
}

// registers writes the general registers.
func (t *tombstone) registers(w *out.Writer, regs []core.Register) {
	for _, row := range tombstoneRows[t.ABI] {
		line := "   "
		for _, name := range row {
			value := "????????????????"[:min(16, 2*t.ptr)]
			if g, ok := registerNamed(regs, name); ok {
				value = fmt.Sprintf("%0*x", 2*t.ptr, g.Value)
			}
			line += fmt.Sprintf(" %-3s %s ", name, value)
		}
		w.Printf("%s\n", line[:len(line)-1])
	}
}

// backtrace writes the frames.
func (t *tombstone) backtrace(w *out.Writer, th *tombstoneThread) {
	w.Printf("\nbacktrace:\n")
	i := -1
	for f := range th.Every() {
		if i++; w.Err() != nil {
			return
		}
		line := (*commands.FrameRecord)(f).Debuggerd(i, t.ptr, "<unknown>", "")
		if id := t.buildID(f.PC); id != "" && !f.Inlined && !stack.Managed(f) {
			line += " (BuildId: " + id + ")"
		}
		w.Printf("      %s\n", line)
	}
	w.Printf("\n")
}

// memoryMap writes the mappings.
func (t *tombstone) memoryMap(w *out.Writer) {
	if len(t.maps) == 0 {
		return
	}
	w.Printf("memory map (%d entries):\n", len(t.maps))
	for _, m := range t.maps {
		line := fmt.Sprintf("    %0*x-%0*x %s %9x %9x", 2*t.ptr, uint64(m.Start), 2*t.ptr, uint64(m.End-1), m.Prot,
			m.Off, uint64(m.End-m.Start))
		if m.Path != "" {
			line += "  " + sym.Clean(m.Path)
		}
		w.Printf("%s\n", line)
	}
}
