package commands

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/debuginfod"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/stack"
	"coredbg/walk"
)

// A Target is a view of a dead process: its memory and threads, its symbols, stacks and runtimes, and the readers of
// its values and sources. It needs no terminal and no language.
type Target struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target
	Stacks  *stack.Engine
	Thread  *core.Thread // the current one; nil if the core has no threads
	// Runtimes returns the runtimes of the process, probing for them on the
	// first call; it may be nil.
	Runtimes func() []runtimes.Runtime
	// Probed are the names of the runtimes that are looked for.
	Probed []string

	// Frames reads what frames have in them; it may be nil.
	Frames FrameReader
	// Variables read the variables of frames of managed code, each for its runtime.
	Variables []VariableReader
	// Sources read the source of such frames.
	Sources []SourceReader
	// Held read the source that the process holds, by the names of files.
	Held []HeldSource
	// Files finds files that the process had, or that it was made from; it may be nil.
	Files find.Finder
	// Folders are where files are looked for, as the options of the session name them.
	Folders Folders
	// Servers is also in Files and in the source of the symbols; nil if no server is used.
	Servers *debuginfod.Client
	// CauseFinders, in addition to the runtimes, know why the process may have ended.
	CauseFinders []runtimes.CauseFinder
	// LeakRules returns the known leak patterns of the runtimes found and of their embedders; nil if there are
	// no rules.
	LeakRules func() []heap.Rule
	// MadeBy returns the file of the module that made the native object at an address, such as a
	// reference of Node-API; "" if no runtime knows it. It may be nil.
	MadeBy func(a core.Addr) string
	// Noises are the functions that summaries leave out, as the runtimes and
	// languages know them.
	Noises []*runtimes.Noise
	// Disasm returns the instruction at a, of memory or of the object file,
	// and its length in bytes.
	Disasm func(a core.Addr, file bool) (text string, size int, err error)
	// LeftOut is told what a reader had to leave out, and why; it may be nil.
	LeftOut func(err error)

	chosen chosenFrame
	native *Native // nil until it is asked for
}

// A RuntimeFinder knows the runtimes of a process: a Target, a Session.
type RuntimeFinder interface{ Found() []runtimes.Runtime }

// RuntimeOf returns the first runtime of the process that is a T.
func RuntimeOf[T any](s RuntimeFinder) (T, bool) {
	for _, r := range s.Found() {
		if t, ok := r.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}

// Found returns the runtimes of the process.
func (s *Target) Found() []runtimes.Runtime {
	if s.Runtimes == nil {
		return nil
	}
	return s.Runtimes()
}

// Native returns the memory of the process's allocators.
func (s *Target) Native() *Native {
	if s.native == nil {
		s.native = &Native{process: s.Process, symbols: s.Symbols, stacks: s.Stacks, found: s.Found,
			frames: s.Frames, leftOut: s.LeftOut}
	}
	return s.native
}

// RuntimeNames returns the names of the runtimes of the process.
func (s *Target) RuntimeNames() (names []string) {
	for _, r := range s.Found() {
		names = append(names, r.Name())
	}
	return names
}

// Close closes the core and all files that were opened for it.
func (s *Target) Close() error { return s.Process.Close() }

// Shortened returns an error if the core's file was shortened while it was open.
func (s *Target) Shortened() error {
	for _, c := range s.Process.Closers {
		if c, ok := c.(core.CutSource); ok {
			if err := c.Cut(); err != nil {
				return fmt.Errorf("%s was cut short while it was open: %w", s.Process.Path, err)
			}
		}
	}
	return nil
}

// lost describes the memory written by the process that the core lacks; "" if it has most of it. Most cores
// lack a little: memory that the kernel shares with a process, and memory that the process asked to be left
// out.
func (s *Target) lost() string {
	if s.Process.Truncated {
		return "it is truncated"
	}
	lost, all := uint64(0), uint64(0)
	for _, m := range s.Process.Mappings {
		own := m.Path == "" || m.Path == "[heap]" || strings.HasPrefix(m.Path, "[stack")
		if size := uint64(m.End - m.Start); own && m.Prot&core.Write != 0 {
			all += size
			lost += size - min(size, m.Dumped)
		}
	}
	if lost <= all/2 {
		return ""
	}
	return fmt.Sprintf("of %d KiB that the process could write, %d are not in it", all>>10, lost>>10)
}

// Name returns the symbol that covers a as people read it, demangled and with
// its object in front if that is not the executable, and a's distance from it
// in bytes.
func (s *Target) Name(a core.Addr) (name string, off uint64, ok bool) {
	if s.Symbols == nil {
		return "", 0, false
	}
	found, off, ok := s.Symbols.Lookup(a)
	if !ok {
		return "", 0, false
	}
	name = sym.Demangle(found.Name, true)
	if m := found.Module; m != nil && !m.Exe {
		name = m.Name() + "`" + name
	}
	return name, off, true
}

// Register returns a register of the current thread, as lang.Names has it. Besides the architecture's own names, pc, sp
// and fp stand for the registers with these roles, and thread for the id of
// the current thread.
func (s *Target) Register(name string) (uint64, bool) {
	t, arch := s.Thread, s.Process.Arch
	if t == nil || arch == nil {
		return 0, false
	}
	if name == "thread" {
		return uint64(t.TID), true
	}
	if i := arch.SlotOf(name); i >= 0 {
		return t.Regs.Get(i)
	}
	roles := map[string]int{"pc": arch.PC, "sp": arch.SP, "fp": arch.FP}
	if i, ok := roles[name]; ok {
		return t.Regs.Get(i)
	}
	if t.Registers == nil {
		return 0, false
	}
	for _, r := range t.Registers() {
		if r.Name == name && r.Bytes == nil {
			return r.Value, true
		}
	}
	return 0, false
}

// Crashed returns the thread that the signal hit, or nil.
func Crashed(p *core.Process) *core.Thread {
	for _, t := range p.Threads {
		if t.Crashed {
			return t
		}
	}
	return nil
}

// ThreadAt returns the thread whose id is a, or nil. People type ids as they
// read them, in decimal, but the language reads digits in its default radix:
// where no thread has the id a, the digits of a in hexadecimal are taken as decimal.
func ThreadAt(p *core.Process, a core.Addr) *core.Thread {
	if t := p.Thread(int(a)); t != nil {
		return t
	}
	if n, err := strconv.Atoi(strconv.FormatUint(uint64(a), 16)); err == nil {
		return p.Thread(n)
	}
	return nil
}

// ThreadAt returns the thread whose id is a, as the function ThreadAt does, or the one that runs, or stands
// for, the task of a runtime whose record is at a; nil if there is none.
func (s *Target) ThreadAt(a core.Addr) *core.Thread {
	if t := ThreadAt(s.Process, a); t != nil {
		return t
	}
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Tasker); ok {
			if t, ok := x.Task(a); ok {
				return t
			}
		}
	}
	return nil
}

// Tasks returns the tasks of all runtimes that no thread of the system runs, such as goroutines, each as the
// thread that stands for it, and the Tasker of each.
func (s *Target) Tasks() (list []*core.Thread, of []runtimes.Tasker) {
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Tasker); ok {
			for _, t := range x.Tasks() {
				list, of = append(list, t), append(of, x)
			}
		}
	}
	return list, of
}

// FunctionAt names the function of a thread's frame that the word at an address of its
// stack is in, with its position if it is a managed one; "" if it is in none.
func (s *Target) FunctionAt(ctx context.Context, t *core.Thread, at core.Addr) string {
	name := ""
	for _, f := range s.Stacks.Thread(ctx, t, stack.Options{}).Frames {
		if at < f.SP || at >= f.CFA {
			continue
		}
		if !stack.Managed(&f) {
			name = f.Symbolic()
			continue
		}
		if name = f.Name; name == "" {
			name = "<anonymous>"
		}
		if p := f.Position(); p != "" {
			name += " (" + p + ")"
		}
		break
	}
	return name
}

// A chosenFrame is a frame of a thread that the user looks at.
type chosenFrame struct {
	thread *core.Thread
	index  int
}

// ChooseFrame makes the frame with an index of a thread's whole stack the one that is looked at,
// until another thread is.
func (s *Target) ChooseFrame(t *core.Thread, index int) { s.chosen = chosenFrame{t, index} }

// FrameOf returns the index of the frame of a thread that the user has chosen, if one was.
func (s *Target) FrameOf(t *core.Thread) (index int, ok bool) {
	return s.chosen.index, s.chosen.thread == t && t != nil
}

// Folders are the folders that a session looks for files in: core/find says how.
type Folders struct {
	Sysroot           string
	Search, DebugDirs []string
}
