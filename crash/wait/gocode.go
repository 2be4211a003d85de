package wait

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/core/sym"
	"coredbg/crash/origin"
)

// Go notes nowhere who holds a lock. The code of the functions on a goroutine's stack says it: a function
// that calls Lock on each way to the place where it is, and no Unlock after it, holds that lock. Lock and
// Unlock may be inlined: an atomic instruction, and a call of the slow path. The line tables say which
// function each belongs to.

// A goCall is a call that takes or releases a lock, or uses a channel. The function may be inlined.
type goCall struct {
	does   string          // "sync.(*Mutex).Lock", "chansend"
	at     int             // the index of the instruction
	fast   bool            // the atomic instruction of a function that is inlined
	path   []int           // the lines that it is in, of the outermost function first
	lock   *origin.Formula // the address of the lock; nil if the code does not show it
	direct []core.Addr
	disps  []core.Addr
}

// Limits of the code that is looked at.
const (
	maxGoCode  = 1 << 16 // bytes of a function
	maxGoCalls = 1 << 10 // in a function
	goWindow   = 16      // instructions that make the operand of a call
	maxDisp    = 1 << 16 // from an object to a lock in it
)

// A goCoder reads the code of functions.
type goCoder struct {
	p       *core.Process
	symbols *sym.Table
	known   map[core.Addr]*goFunction
}

// A goFunction is the code of a function.
type goFunction struct {
	*origin.Function
	arch  *core.Arch
	calls []goCall        // in the order of their addresses
	at    map[int]*goCall // by index
	slots []goSlot
	// stored are the instructions that store to a word of the frame, by its offset.
	stored map[int64][]int
	held   map[goPlace][]goTaken
}

// function returns the function at an address. It has no code if that cannot be read.
func (x *goCoder) function(pc core.Addr) *goFunction {
	s, _, ok := x.symbols.Cover(pc)
	if !ok || s.Size == 0 || !insn.Known(x.p.Arch) {
		return &goFunction{Function: &origin.Function{}}
	}
	if fn, ok := x.known[s.Addr]; ok {
		return fn
	}
	code, err := core.ReadBytes(x.p.Space, s.Addr, min(s.Size, maxGoCode))
	if err != nil {
		code = nil
	}
	fn := &goFunction{Function: origin.NewFunction(x.p.Arch, code, s.Addr, maxGoCode), arch: x.p.Arch,
		at: map[int]*goCall{}, held: map[goPlace][]goTaken{}}
	x.known[s.Addr] = fn
	for i := range fn.List {
		if in := &fn.List[i]; in.Calls && in.Direct && x.never(in.To) {
			in.Ends = true
		}
	}
	fn.findSlots()
	for i := range fn.List {
		if c, ok := x.call(fn, i); ok && len(fn.calls) < maxGoCalls {
			c.operands(x.p.Arch, fn, i)
			fn.calls = append(fn.calls, c)
		}
	}
	for i := range fn.calls {
		fn.at[fn.calls[i].at] = &fn.calls[i]
	}
	return fn
}

// never reports whether a function does not return.
func (x *goCoder) never(to core.Addr) bool {
	s, off, ok := x.symbols.Cover(to)
	if !ok || off != 0 {
		return false
	}
	for _, prefix := range []string{"runtime.panic", "runtime.goPanic", "runtime.gopanic", "runtime.throw",
		"runtime.fatal"} {
		if strings.HasPrefix(s.Name, prefix) {
			return true
		}
	}
	return false
}

// call returns the call of the instruction with index i, if it is one that counts.
func (x *goCoder) call(fn *goFunction, i int) (c goCall, ok bool) {
	in := &fn.List[i]
	add := int64(0) // from the lock to the operand
	switch {
	case in.Calls && in.Direct:
		to, off, ok := x.symbols.Cover(in.To)
		if !ok || off != 0 {
			return c, false
		}
		c.does = goDoes(to.Name)
		if strings.Contains(to.Name, "runtime_Semacquire") {
			add = 12 // readerSem of sync.RWMutex
		} else if c.does == "" {
			return c, false
		}
	case stores(x.p.Arch, in.Code):
		c.fast = true
	default:
		return c, false
	}
	does := ""
	if does, c.path = x.path(in.At); does != "" {
		c.does = does
	}
	if c.at = i; !locks(c.does) {
		return c, c.does != "" && !c.fast
	}
	var f origin.Formula
	if c.fast {
		if c.does == goRLock || c.does == goRUnlock {
			add = 16 // readerCount of sync.RWMutex
		}
		f, ok = fn.Operand(fn.arch, i)
	} else {
		f, ok = fn.receiver(i)
	}
	if ok {
		if f = fn.plain(f.Plus(-add)); !fn.result(&f) {
			c.lock = &f
		}
	}
	return c, true
}

// stores reports whether an instruction changes memory atomically. Of a pair that loads and stores, the
// second one does.
func stores(arch *core.Arch, code []byte) bool {
	switch {
	case arch == core.ARM64 && len(code) == 4:
		w := arch.Order.Uint32(code)
		return w&0x3f600000 == 0x08000000 || // stxr, stlxr
			w&0x3fa07c00 == 0x08a07c00 || // cas
			w&0x3f200c00 == 0x38200000 // ldadd, swp and their like
	case arch == core.AMD64 || arch == core.I386:
		return len(code) > 1 && code[0] == 0xf0
	}
	return false
}

// receiver returns the formula of the first argument of the call with index i: in a register, or on the stack
// until Go 1.16.
func (fn *goFunction) receiver(i int) (origin.Formula, bool) {
	slot, off := "rax", int64(0)
	switch fn.arch {
	case core.AMD64:
	case core.ARM64:
		slot, off = "x0", 8
	case core.I386:
		return fn.Pushed(fn.arch, i, 0)
	default:
		return origin.Formula{}, false
	}
	if f, ok := fn.Pushed(fn.arch, i, off); ok {
		return f, true
	}
	return fn.Formula(fn.arch, i, fn.arch.SlotOf(slot))
}

// path returns the lines that an address is in, the outermost function's first, as far as these are not of
// the inlined function of package sync that does something.
func (x *goCoder) path(pc core.Addr) (does string, path []int) {
	lines := x.symbols.Lines(pc)
	for i := len(lines) - 1; i >= 0; i-- {
		if own := goDoes(lines[i].Func); own != "" && i < len(lines)-1 {
			return own, path // the part of a function that is inlined
		}
		path = append(path, lines[i].Line)
	}
	return "", path
}

// goDoes maps a function of package sync or the runtime to its operation, "" for other functions.
func goDoes(name string) string {
	switch name = strings.TrimPrefix(name, "internal/"); name {
	case "sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow":
		return goLock
	case "sync.(*Mutex).Unlock", "sync.(*Mutex).unlockSlow":
		return goUnlock
	case "sync.(*RWMutex).Unlock":
		return goRWUnlock
	case "sync.(*RWMutex).RUnlock", "sync.(*RWMutex).rUnlockSlow":
		return goRUnlock
	case goRWLock, goRLock, goDone, goWait:
		return name
	case "sync.(*WaitGroup).Add":
		return goDone
	case "runtime.chansend1", "runtime.selectnbsend":
		return goSend
	case "runtime.chanrecv1", "runtime.chanrecv2", "runtime.selectnbrecv":
		return goReceive
	case "runtime.selectgo":
		return goSelect
	case "runtime.closechan":
		return goClose
	}
	return ""
}

// Operations that wait, and operations that end a wait.
const (
	goLock     = "sync.(*Mutex).Lock"
	goUnlock   = "sync.(*Mutex).Unlock"
	goRWLock   = "sync.(*RWMutex).Lock"
	goRWUnlock = "sync.(*RWMutex).Unlock"
	goRLock    = "sync.(*RWMutex).RLock"
	goRUnlock  = "sync.(*RWMutex).RUnlock"
	goDone     = "sync.(*WaitGroup).Done"
	goWait     = "sync.(*WaitGroup).Wait"
	goSend     = "send"
	goReceive  = "receive"
	goSelect   = "select"
	goClose    = "close"
)

// goNumber is a number of an operand.
var goNumber = regexp.MustCompile(`0x[0-9a-f]+`)

// operands collects the addresses and the offsets in the instructions before a call, which may make its
// operand. Offsets from the stack pointer are left out: all words of the frame are tried anyway.
func (c *goCall) operands(arch *core.Arch, fn *goFunction, i int) {
	c.disps = []core.Addr{0}
	for n := 1; n <= goWindow && i >= n && !fn.List[i-n].Calls; n++ {
		in, ok := insn.Disassemble(arch, fn.List[i-n].Code, fn.List[i-n].At)
		if !ok {
			continue
		}
		if in.HasTarget {
			c.direct = append(c.direct, in.Target)
		}
		if strings.Contains(in.Text, "%rsp") || strings.Contains(in.Text, "[sp") || in.HasTarget && arch == core.AMD64 {
			continue
		}
		for _, text := range goNumber.FindAllString(in.Text, -1) {
			n, err := strconv.ParseUint(text[2:], 16, 64)
			if d := core.Addr(n); err == nil && d < maxDisp && !slices.Contains(c.disps, d) {
				c.disps = append(c.disps, d)
			}
		}
	}
}
