package core

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sort"
	"strconv"
	"sync/atomic"
	"time"
)

// PSArgsSize is the bytes of a command line in the notes of Linux, with its NUL (ELF_PRARGSZ).
const PSArgsSize = 80

// A Process is a dead process. It holds only what a core can honour; there is
// nothing in it to run, stop or change.
type Process struct {
	Path   string // of the core file
	Format string // "ELF core", "Mach-O core", "minidump", "bundle"
	OS     string // "linux", "darwin", "windows"
	Arch   *Arch
	// Machine names the architecture if Arch is nil. Such a core has mappings and memory but no
	// registers, and Order and PtrSize come from the file; see Words.
	Machine string
	Order   binary.ByteOrder
	PtrSize int // bytes

	// Began is when the process began, and Written when the core was written, to the second. They are
	// zero if the core does not say; no known kernel records them.
	Began, Written time.Time

	PID, PPID int
	UID, GID  int
	Name      string // the command's name, cut by the kernel to 15 bytes
	PSArgs    string // the start of the command line, cut to PSArgsSize
	Exe       string // path of the executable, "" if unknown

	Signal *Signal // what ended the process, or stopped it for a Snapshot; nil if unknown
	// Snapshot is set if the process was not ending when the core was written:
	// no signal is recorded, or one that ends no process with a core.
	Snapshot bool
	// ByDebugger is set if the core is laid out as debuggers write them, not kernels.
	ByDebugger bool
	// Siginfo decodes what the system hands to a signal handler; nil if its
	// layout is not known, and its result if d is too short.
	Siginfo func(d []byte) *Signal

	Space    *Space
	Threads  []*Thread // the one that crashed first, else in the core's order
	Mappings []Mapping // sorted by address
	Modules  []*Module // sorted by Start
	// Unloaded are images that were unloaded before, the latest last as far as the core says it.
	Unloaded []Unloaded
	Notes    []Note
	Auxv     []AuxEntry
	// Args and Environ are what the dump lists apart from memory; nil if it does not.
	Args, Environ []string
	// Annotations are what the program had put aside for the case of a crash, in the
	// dump's order.
	Annotations []Annotation
	Warnings    []Warning
	// Truncated is set if the core lacks something that its writer meant to
	// put in: the file was cut short. Cut says how, a line each.
	Truncated bool
	Cut       []string

	// CodeMask and DataMask have the bits set that pointer authentication
	// may put into code and data pointers (NT_ARM_PAC_MASK); zero if none.
	CodeMask, DataMask uint64
	// WindowCookie is what return addresses in register windows of sparc64 are mixed
	// with, by exclusive or, where they are saved on the stack (OpenBSD's StackGhost); zero if nothing.
	WindowCookie uint64
	// Tags are the runs of memory that has allocation tags, sorted by Start.
	Tags []TagRun

	// Made knows the code that the process made itself; nil if nothing does.
	Made Maker

	Closers []io.Closer // released by Close, last first

	parts  atomic.Pointer[partIndex]
	blocks atomic.Pointer[[]Addr] // control blocks of threads, sorted
}

// An Unloaded is an image that was in memory once, and was not when the process died.
type Unloaded struct {
	Path       string
	Start, End Addr
}

// UnloadedAt returns the image that was at a last; false if the core knows none.
func (p *Process) UnloadedAt(a Addr) (Unloaded, bool) {
	for _, u := range slices.Backward(p.Unloaded) {
		if u.Start <= a && a < u.End {
			return u, true
		}
	}
	return Unloaded{}, false
}

// A Thread is one thread of the process, as it was.
type Thread struct {
	TID     int
	Name    string // "" if the core does not say
	Regs    Regs
	Crashed bool     // the one that the signal hit
	Signal  int      // pr_cursig: what it was about to take; 0 if none
	TLS     Addr     // thread pointer (fs_base, TPIDR_EL0); 0 if unknown
	State   string   // "Native" until a runtime says better
	CPU     *CPUTime // how long it ran; nil if the core does not say
	Task    *Task    // what a runtime ran in place of a system thread; nil for a thread of the system

	// Registers decodes the full register set in the order of the notes.
	Registers func() []Register
}

// A Task is a unit of execution that a runtime schedules on its threads, such as a goroutine. A task
// that is not running is a Thread as well: its registers are the ones it will resume with, and it has
// no TID.
type Task struct {
	Kind      string        // "goroutine"
	ID        uint64        // the runtime's own
	Addr      Addr          // of the runtime's record
	Low, High Addr          // the bounds of its stack
	Waited    time.Duration // for how long it waits at least; 0 if that is not known
}

// String names the thread, such as "thread 12" or "goroutine 12".
func (t *Thread) String() string {
	if t.Task != nil {
		return t.Task.Kind + " " + strconv.FormatUint(t.Task.ID, 10)
	}
	return "thread " + strconv.Itoa(t.TID)
}

// ID returns the thread's number: its task's ID, or else its TID.
func (t *Thread) ID() uint64 {
	if t.Task != nil {
		return t.Task.ID
	}
	return uint64(t.TID)
}

// tlsBias is how far after the thread's control block its pointer leads on PowerPC, in bytes (Power
// Architecture 64-Bit ELF V2 ABI, 3.7.2).
const tlsBias = 0x7000

// StackEnd returns where a stack that holds sp ends at the latest, in memory that ends at end: the control
// block of a thread, which its thread pointer leads to, is not part of a stack. C libraries
// put it at the end of the stack that they make for a thread; what comes after that in one mapping may be anything.
func (p *Process) StackEnd(sp, end Addr) Addr {
	blocks := p.blocks.Load()
	if blocks == nil {
		list := p.controlBlocks()
		blocks = &list
		p.blocks.Store(blocks)
	}
	i, _ := slices.BinarySearch(*blocks, sp+1)
	if i < len(*blocks) {
		end = min(end, (*blocks)[i])
	}
	return end
}

// controlBlocks returns the addresses of all threads' control blocks, sorted.
func (p *Process) controlBlocks() []Addr {
	bias := Addr(0)
	if p.Arch == PPC || p.Arch == PPC64 || p.Arch == PPC64LE {
		bias = tlsBias
	}
	var list []Addr
	for _, t := range p.Threads {
		if t.TLS > bias {
			list = append(list, t.TLS-bias)
		}
	}
	slices.Sort(list)
	return list
}

// CPUTime is how long a thread ran on a processor.
type CPUTime struct {
	User, System time.Duration
	// Most says that the thread ran for that long at most: threads that have ended may have used
	// some of it.
	Most bool
}

// Total returns the time in and outside of the kernel.
func (c CPUTime) Total() time.Duration { return c.User + c.System }

// A Signal is why the process died.
type Signal struct {
	Number   int
	Name     string // "SIGSEGV"
	Text     string // "Segmentation fault"
	HasCode  bool   // Code and the fields after it are recorded, not only Number
	Code     int
	CodeName string // "SEGV_MAPERR"; "" if the code has no name
	CodeText string // "address not mapped to object"
	Errno    int

	HasAddr   bool
	Addr      Addr // the fault address, if HasAddr
	HasSender bool
	PID, UID  int // of the sender, if HasSender
	// HasSyscall says that the kernel has recorded which system call it refused (SIGSYS).
	HasSyscall bool
	Syscall    int    // its number
	ABI        uint32 // whose number it is: AUDIT_ARCH_* of Linux
	// Like is the signal of Unix that means the same, if Name is none: "SIGSEGV" for an
	// access violation of Windows.
	Like string
}

// Unix returns the name of the signal on Unix.
func (s *Signal) Unix() string {
	if s.Like != "" {
		return s.Like
	}
	return s.Name
}

// A Mapping is a range of the address space as the kernel had it.
type Mapping struct {
	Start, End Addr
	Prot       Prot
	Path       string // file, or "[stack]", "[heap]", "[vdso]"; "" if anonymous
	Off        uint64 // file offset in bytes of Start
	Dumped     uint64 // bytes of it that the core holds
}

// A Note is a record of the core's note segment that a loader knows or not.
type Note struct {
	Owner string // "CORE", "LINUX"
	Type  uint32
	Name  string // "NT_PRSTATUS"; "" if unknown
	Off   int64  // file offset in bytes of its descriptor
	Desc  []byte // lent
	TID   int    // the thread it belongs to; 0 if the process
}

// An Annotation is a name with a value that a program gave to its crash reporter: text
// from a file, so Clean it before it is shown.
type Annotation struct {
	Name, Value string
	Module      string // path of the module that has it; "" for an annotation of the process
	From        string // which list it is in, as the format calls it
}

// An AuxEntry is a pair of the auxiliary vector.
type AuxEntry struct {
	Type  uint64
	Name  string // "AT_ENTRY"; "" if unknown
	Value uint64
}

// Cursor returns a cursor over the process' memory with its byte order and the sizes of
// its pointers and registers.
func (p *Process) Cursor() *Cursor {
	order, ptr := p.Words()
	c := NewCursor(p.Space, order, ptr)
	if p.Arch != nil {
		c.reg = p.Arch.RegSize()
	}
	return c
}

// Words returns the byte order of the process' words and the size of its pointers in bytes. Both are
// known for architectures without an Arch, too.
func (p *Process) Words() (order binary.ByteOrder, ptr int) {
	switch {
	case p.Arch != nil:
		return p.Arch.Order, p.Arch.PtrSize
	case p.Order != nil && (p.PtrSize == 4 || p.PtrSize == 8):
		return p.Order, p.PtrSize
	}
	return binary.LittleEndian, 8
}

// Warn adds a warning.
func (p *Process) Warn(place, text string) {
	p.Warnings = append(p.Warnings, Warning{Place: place, Text: text})
}

// WarnCut adds a warning that says how the core was cut short.
func (p *Process) WarnCut(text string) {
	p.Truncated = true
	p.Cut = append(p.Cut, text)
	p.Warn("", text)
}

// Thread returns the thread with the given id, or nil.
func (p *Process) Thread(tid int) *Thread {
	for _, t := range p.Threads {
		if t.TID == tid {
			return t
		}
	}
	return nil
}

// Mapping returns the mapping that holds a.
func (p *Process) Mapping(a Addr) (Mapping, bool) {
	i := sort.Search(len(p.Mappings), func(i int) bool { return p.Mappings[i].End > a })
	if i < len(p.Mappings) && p.Mappings[i].Start <= a {
		return p.Mappings[i], true
	}
	return Mapping{}, false
}

// Executable reports whether instructions could be fetched from a.
func (p *Process) Executable(a Addr) bool {
	s, ok := p.Space.Find(a)
	if ok && s.ProtUnknown {
		s, ok = p.Space.Resolve(a)
	}
	return ok && s.Prot&Exec != 0
}

// StripCode removes pointer-authentication bits from a code address.
func (p *Process) StripCode(a Addr) Addr {
	m := Addr(p.CodeMask)
	if m == 0 {
		return a
	}
	if a>>55&1 != 0 {
		return a | m
	}
	return a &^ m
}

// AuxValue returns the value of an entry of the auxiliary vector.
func (p *Process) AuxValue(typ uint64) (uint64, bool) {
	for _, e := range p.Auxv {
		if e.Type == typ {
			return e.Value, true
		}
	}
	return 0, false
}

// Close releases the core and every file opened for it.
func (p *Process) Close() error {
	var errs []error
	for i := len(p.Closers) - 1; i >= 0; i-- {
		errs = append(errs, p.Closers[i].Close())
	}
	p.Closers = nil
	return errors.Join(errs...)
}

// Registers returns the registers of a thread: all sets if the core has them, otherwise the registers
// that walks use.
func (p *Process) Registers(t *Thread) []Register {
	if t.Registers != nil {
		if list := t.Registers(); len(list) > 0 {
			return list
		}
	}
	var list []Register
	for i, name := range p.Arch.RegNames {
		if v, ok := t.Regs.Get(i); ok {
			list = append(list, Register{Name: name, Value: v, Size: p.Arch.PtrSize, Set: "general"})
		}
	}
	return list
}
