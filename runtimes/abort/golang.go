package abort

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Offsets in the structures of Go's runtime, in bytes of 64-bit (Go 1.17 to 1.26,
// runtime/runtime2.go and internal/abi/type.go): g has its stack's bounds first.
const (
	goMOfG     = 48
	goSchedSP  = 56
	goKindAt   = 23
	goKindMask = 0x1f
	goString   = 24
	maxCurg    = 96  // words of an m, one of which is its current goroutine
	throwReach = 512 // bytes of a stack from the throwing function on
)

// ofGo returns the words with which Go's runtime ended the process: of a panic that nobody
// recovered from, or of an error that is fatal.
func (f finder) ofGo(ctx context.Context, c *runtimes.Crash) (runtimes.Cause, bool) {
	if f.p.Arch != core.AMD64 && f.p.Arch != core.ARM64 {
		return runtimes.Cause{}, false
	}
	is := func(names ...string) int {
		return c.Within(func(name string) bool { return slices.Contains(names, name) })
	}
	if i := is("runtime.gopanic"); i >= 0 && is("runtime.fatalpanic", "runtime.fatalpanic.func1", "runtime.fatalpanic.func2") >= 0 {
		cause := runtimes.Cause{Kind: "Go panic", TID: c.Thread.TID, At: goCaller(c, i)}
		if i+1 < len(c.Frames) {
			cause.Message = f.panicText(f.stackWords(ctx, c.Frames[i].SP, c.Frames[i+1].SP+16))
		}
		return cause, true
	}
	i := is("runtime.throw", "runtime.fatal")
	if i < 0 && is("runtime.fatalthrow", "runtime.fatalthrow.func1") < 0 {
		return runtimes.Cause{}, false
	}
	cause := runtimes.Cause{Kind: "fatal error of Go", TID: c.Thread.TID}
	if i >= 0 {
		cause.At = goCaller(c, i)
		to := c.Frames[i].SP + throwReach
		if i+1 < len(c.Frames) {
			to = c.Frames[i+1].SP + 32 // where arguments are kept, in the caller's frame
		}
		cause.Message = f.constant(f.stackWords(ctx, c.Frames[i].SP, to))
	} else if sp, ok := f.goroutine(c.Thread); ok {
		cause.Message = f.constant(f.stackWords(ctx, sp, sp+throwReach))
	}
	return cause, true
}

// goCaller names the first function that is not the runtime's, from a frame on.
func goCaller(c *runtimes.Crash, from int) string {
	for _, f := range c.Frames[from:] {
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") && f.Function != "panic" {
			return f.Function
		}
	}
	return ""
}

// panicText returns what a panic prints: of gopanic's frame the value in the panic, whose
// error or stringer was turned into text before the end (preprintpanics).
func (f finder) panicText(words []core.Addr) string {
	type value struct{ typ, at core.Addr }
	seen := map[value]bool{}
	for i := 0; i+1 < len(words); i++ {
		kind, ok := f.goKind(words[i])
		if !ok {
			continue
		}
		cur := f.p.Cursor()
		if kind == goString {
			at, n := cur.Pointer(words[i+1]), cur.U64(words[i+1]+8)
			if text, ok := f.text(at, n, maxPanic); ok && cur.Err() == nil {
				return text
			}
			continue
		}
		// A number is less telling than a text: that of the panic is where the argument
		// was kept, too.
		v := value{words[i], words[i+1]}
		if text := goNumber(cur, kind, v.at); text != "" && seen[v] {
			return text
		}
		seen[v] = true
	}
	return ""
}

// goSizes are the sizes in bytes of the kinds that are texts, numbers or bool
// (internal/abi/type.go, Kind).
var goSizes = map[uint8]uint64{1: 1, 2: 8, 3: 1, 4: 2, 5: 4, 6: 8, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8, 12: 8, goString: 16}

// goKind returns the kind of an abi.Type: what is one lies in memory that is not written,
// and has the size of its kind.
func (f finder) goKind(typ core.Addr) (uint8, bool) {
	if m, ok := f.p.Mapping(typ); !ok || m.Prot&core.Write != 0 || typ%8 != 0 {
		return 0, false
	}
	cur := f.p.Cursor()
	size, kind := cur.U64(typ), cur.U8(typ+goKindAt)&goKindMask
	align := cur.U8(typ + goKindAt - 2)
	return kind, cur.Err() == nil && size > 0 && size == goSizes[kind] && uint64(align) == min(size, 8)
}

// goNumber returns the value of one of Go's integer types or bool.
func goNumber(cur *core.Cursor, kind uint8, at core.Addr) string {
	s := ""
	switch kind {
	case 1:
		s = strconv.FormatBool(cur.U8(at) != 0)
	case 3:
		s = strconv.Itoa(int(int8(cur.U8(at))))
	case 4:
		s = strconv.Itoa(int(int16(cur.U16(at))))
	case 5:
		s = strconv.Itoa(int(int32(cur.U32(at))))
	case 2, 6:
		s = strconv.FormatInt(int64(cur.U64(at)), 10)
	case 8:
		s = strconv.Itoa(int(cur.U8(at)))
	case 9:
		s = strconv.Itoa(int(cur.U16(at)))
	case 10:
		s = strconv.FormatUint(uint64(cur.U32(at)), 10)
	default:
		s = strconv.FormatUint(cur.U64(at), 10)
	}
	if cur.Err() != nil {
		return ""
	}
	return s
}

// constant returns the first text that two words side by side refer to in memory that is
// not written.
func (f finder) constant(w []core.Addr) string {
	for i := 0; i+1 < len(w); i++ {
		m, ok := f.p.Mapping(w[i])
		if !ok || m.Prot&core.Write != 0 || w[i+1] < 4 || w[i+1] > maxLocation {
			continue
		}
		if text, ok := f.text(w[i], uint64(w[i+1]), maxLocation); ok {
			return text
		}
	}
	return ""
}

// goroutine returns the stack pointer of the goroutine that a thread ran before it went to
// a stack of the runtime's own: thread-local memory has the g of that, it the m, and that
// the goroutine.
func (f finder) goroutine(t *core.Thread) (core.Addr, bool) {
	if t.TLS == 0 || f.p.Arch != core.AMD64 {
		return 0, false
	}
	cur := f.p.Cursor()
	g := cur.Pointer(t.TLS - 8)
	m := cur.Pointer(g + goMOfG)
	g0 := cur.Pointer(m)
	for i := range core.Addr(maxCurg) {
		at := cur.Pointer(m + 8*i)
		if cur.Err() != nil {
			return 0, false
		}
		if at == g || at == g0 || at%8 != 0 || at == 0 {
			continue
		}
		of := f.p.Cursor()
		lo, hi, sp := of.Pointer(at), of.Pointer(at+8), of.Pointer(at+goSchedSP)
		if of.Pointer(at+goMOfG) == m && of.Err() == nil && lo < sp && sp < hi {
			return sp, true
		}
	}
	return 0, false
}
