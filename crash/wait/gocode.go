package wait

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/core/sym"
)

// Go notes nowhere who holds a lock. The code of the functions on a goroutine's stack says it: a function that calls Lock
// before the place where it is, and Unlock after it, holds that lock. As Lock and Unlock are inlined, their slow paths are
// looked for, which are calls; the line tables say which call of the function each belongs to.

// A goCall is a call that takes or releases a lock, or uses a channel. The function may be inlined.
type goCall struct {
	does   string // "sync.(*Mutex).Lock", "chansend"
	ret    core.Addr
	path   []int // the lines that it is in, of the outermost function first
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
	known   map[core.Addr][]goCall
}

// calls returns the calls of the function at an address, in the order of their addresses.
func (x *goCoder) calls(pc core.Addr) []goCall {
	s, _, ok := x.symbols.Cover(pc)
	if !ok || s.Size == 0 || !insn.Known(x.p.Arch) {
		return nil
	}
	if list, ok := x.known[s.Addr]; ok {
		return list
	}
	code, err := core.ReadBytes(x.p.Space, s.Addr, min(s.Size, maxGoCode))
	if err != nil {
		code = nil
	}
	var list []goCall
	var before []insn.Instruction
	for at := 0; at < len(code) && len(list) < maxGoCalls; {
		in, ok := insn.Disassemble(x.p.Arch, code[at:], s.Addr+core.Addr(at))
		if !ok || len(in.Bytes) == 0 {
			break
		}
		at += len(in.Bytes)
		op, _, _ := strings.Cut(in.Text, "\t")
		if op != "bl" && !strings.HasPrefix(op, "call") {
			if before = append(before, in); len(before) > goWindow {
				before = before[1:]
			}
			continue
		}
		if c, ok := x.call(in); ok {
			c.operands(x.p.Arch, before)
			list = append(list, c)
		}
		before = before[:0]
	}
	x.known[s.Addr] = list
	return list
}

// call returns the call of an instruction, if it is one that counts.
func (x *goCoder) call(in insn.Instruction) (c goCall, ok bool) {
	if !in.HasTarget {
		return c, false
	}
	to, off, ok := x.symbols.Cover(in.Target)
	if !ok || off != 0 {
		return c, false
	}
	does := goDoes(to.Name)
	if does == "" && !strings.Contains(to.Name, "runtime_Semacquire") {
		return c, false
	}
	c.ret = in.Addr + core.Addr(len(in.Bytes))
	lines := x.symbols.Lines(in.Addr)
	for i := len(lines) - 1; i >= 0; i-- {
		if own := goDoes(lines[i].Func); own != "" && i < len(lines)-1 {
			does = own // the part of a function that is inlined
			break
		}
		c.path = append(c.path, lines[i].Line)
	}
	c.does = does
	return c, does != ""
}

// path returns the lines that an address is in, the outermost function's first. Lines in package sync are left out.
func (x *goCoder) path(pc core.Addr) (path []int) {
	lines := x.symbols.Lines(pc)
	for i := len(lines) - 1; i >= 0; i-- {
		if i < len(lines)-1 && goDoes(lines[i].Func) != "" {
			break
		}
		path = append(path, lines[i].Line)
	}
	return path
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

// operands collects the addresses and the offsets in the instructions before a call, which may make its operand. Offsets
// from the stack pointer are left out: all words of the frame are tried anyway.
func (c *goCall) operands(arch *core.Arch, before []insn.Instruction) {
	c.disps = []core.Addr{0}
	for _, in := range before {
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

// before reports whether a call comes before another place in the same function.
func (c *goCall) before(path []int, pc core.Addr) bool {
	if n := slices.Compare(c.path, path); n != 0 {
		return n < 0
	}
	return c.ret < pc
}
