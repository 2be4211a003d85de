package abort

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Where things are in the structures of Go's runtime (Go 1.17 to 1.26, runtime/runtime2.go and
// internal/abi/type.go): a g has its stack's bounds first, a descriptor of a type two words and
// the number that maps hash it by.
const (
	goMOfG      = 6 // words
	goSchedSP   = 7 // words
	goTypeWords = 2 // and then bytes:
	goAlignAt   = 5
	goKindAt    = 7
	goKindMask  = 0x1f
	goString    = 24
	maxCurg     = 96  // words of an m, one of which is its current goroutine
	throwReach  = 512 // bytes of a stack from the throwing function on
	panicReach  = 2   // words of gopanic's caller: its arguments
	callerReach = 4   // words of throw's caller, which keep its arguments
)

// A goFinder finds panics of Go.
type goFinder struct{ reader }

// ofGo returns the words with which Go's runtime ended the process: of a panic that nobody
// recovered from, or of an error that is fatal.
func (f goFinder) ofGo(ctx context.Context, c *runtimes.Crash) (runtimes.Cause, bool) {
	is := func(names ...string) int {
		return c.Within(func(name string) bool { return slices.Contains(names, name) })
	}
	if i := is("runtime.gopanic"); i >= 0 && is("runtime.fatalpanic", "runtime.fatalpanic.func1",
		"runtime.fatalpanic.func2") >= 0 {
		cause := runtimes.Cause{Kind: runtimes.GoPanic, TID: c.Thread.TID, At: goCaller(c, i)}
		if i+1 < len(c.Frames) {
			cause.Message = f.panicText(f.stackWords(ctx, c.Frames[i].SP, c.Frames[i+1].SP+panicReach*f.word()))
		}
		cause.Message += f.signalText(c)
		return cause, true
	}
	i := is("runtime.throw", "runtime.fatal")
	if i < 0 && is("runtime.fatalthrow", "runtime.fatalthrow.func1") < 0 {
		return runtimes.Cause{}, false
	}
	cause := runtimes.Cause{Kind: runtimes.FatalErrorOfGo, TID: c.Thread.TID}
	if i >= 0 {
		cause.At = goCaller(c, i)
		to := c.Frames[i].SP + throwReach
		if i+1 < len(c.Frames) {
			to = c.Frames[i+1].SP + callerReach*f.word()
		}
		cause.Message = f.constant(f.stackWords(ctx, c.Frames[i].SP, to))
	} else if sp, ok := f.goroutine(c.Thread); ok {
		cause.Message = f.constant(f.stackWords(ctx, sp, sp+throwReach))
	}
	cause.Message += f.signalText(c)
	return cause, true
}

// goSignals are the words that Go's runtime has for the signals it makes panics of
// (runtime/sigtab_linux_generic.go).
var goSignals = map[uint32]string{7: "SIGBUS: bus error", 8: "SIGFPE: floating-point exception",
	11: "SIGSEGV: segmentation violation"}

// The members of a g that keep the signal it has panicked for are side by side: sig, writebuf (three
// words), sigcode0, sigcode1, sigpc (runtime/runtime2.go).
const (
	goSigBack = 6  // words from sigpc back to sig
	maxG      = 96 // words of a g that are searched for them
)

// signalText returns the signal behind a panic, as Go prints it, or "" if there is none.
// It is known by the place that the function runtime.sigpanic was called from.
func (f goFinder) signalText(c *runtimes.Crash) string {
	i := c.Within(func(name string) bool { return name == "runtime.sigpanic" || name == "runtime.sigpanic0" })
	if i < 0 || i+1 >= len(c.Frames) {
		return ""
	}
	for i+2 < len(c.Frames) && strings.HasPrefix(c.Frames[i+1].Function, "runtime.sigpanic") {
		i++
	}
	w := f.word()
	for _, g := range f.goroutines(c.Thread) {
		words := f.stackWords(context.Background(), g, g+maxG*w)
		for at := goSigBack + 1; at < len(words); at++ {
			// It has 4 bytes, in either half of 8; since Go 1.26 another number comes after it.
			sig, before := words[at-goSigBack], words[at-goSigBack-1]
			text := cmp.Or(goSignals[uint32(sig)], goSignals[uint32(uint64(sig)>>32)])
			if w == 4 {
				text = cmp.Or(text, goSignals[uint32(before)])
			}
			if text != "" && words[at] == c.Frames[i+1].PC {
				return fmt.Sprintf(" [signal %s code=%#x addr=%#x pc=%#x]", text, uint64(words[at-2]),
					uint64(words[at-1]), uint64(words[at]))
			}
		}
	}
	return ""
}

// goOwn are how names begin of functions that Go's runtime ends a program through: its packages, and the packages that
// call its throw and fatal by a link name (runtime/panic.go).
var goOwn = []string{"runtime.", "internal/runtime/", "internal/sync.", "sync.", "syscall."}

// goCaller names the first function that is not the runtime's, from a frame on.
func goCaller(c *runtimes.Crash, from int) string {
	for _, f := range c.Frames[from:] {
		if f.Function != "" && f.Function != "panic" &&
			!slices.ContainsFunc(goOwn, func(p string) bool { return strings.HasPrefix(f.Function, p) }) {
			return f.Function
		}
	}
	return ""
}

// panicText returns what a panic prints: of gopanic's frame the value in the panic, whose
// error or stringer was turned into text before the end (preprintpanics).
func (f goFinder) panicText(words []core.Addr) string {
	type value struct{ typ, at core.Addr }
	seen := map[value]bool{}
	for i := 0; i+1 < len(words); i++ {
		kind, ok := f.goKind(words[i])
		if !ok {
			continue
		}
		cur := f.p.Cursor()
		if kind == goString {
			at, n := cur.Pointer(words[i+1]), cur.Word(words[i+1]+f.word())
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

// goSizes are the sizes in bytes of the kinds that are texts, numbers or bool, the negative ones
// in words (internal/abi/type.go, Kind).
var goSizes = map[uint8]int64{1: 1, 2: -1, 3: 1, 4: 2, 5: 4, 6: 8, 7: -1, 8: 1, 9: 2, 10: 4, 11: 8,
	12: -1, goString: -2}

// goKind returns the kind of an abi.Type: what is one lies in memory that is not written,
// and has the size of its kind.
func (f goFinder) goKind(typ core.Addr) (uint8, bool) {
	w := f.word()
	if m, ok := f.p.Mapping(typ); !ok || m.Prot&core.Write != 0 || typ%w != 0 {
		return 0, false
	}
	cur := f.p.Cursor()
	size, kind := cur.Word(typ), cur.U8(typ+goTypeWords*w+goKindAt)&goKindMask
	align := cur.U8(typ + goTypeWords*w + goAlignAt)
	want := uint64(goSizes[kind])
	if n := goSizes[kind]; n < 0 {
		want = uint64(-n) * uint64(w)
	}
	return kind, cur.Err() == nil && size > 0 && size == want && uint64(align) == min(size, uint64(w))
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
	case 2:
		s = strconv.FormatInt(signed(cur.Word(at), cur.PtrSize()), 10)
	case 6:
		s = strconv.FormatInt(int64(cur.U64(at)), 10)
	case 8:
		s = strconv.Itoa(int(cur.U8(at)))
	case 9:
		s = strconv.Itoa(int(cur.U16(at)))
	case 10:
		s = strconv.FormatUint(uint64(cur.U32(at)), 10)
	case 11:
		s = strconv.FormatUint(cur.U64(at), 10)
	default:
		s = strconv.FormatUint(cur.Word(at), 10)
	}
	if cur.Err() != nil {
		return ""
	}
	return s
}

// signed is a word of so many bytes as a signed number.
func signed(v uint64, size int) int64 {
	unused := 64 - 8*size
	return int64(v<<unused) >> unused
}

// constant returns the first text that two words side by side refer to in memory that is
// not written.
func (f goFinder) constant(w []core.Addr) string {
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
// a stack of the runtime's own.
func (f goFinder) goroutine(t *core.Thread) (core.Addr, bool) {
	list := f.goroutines(t)
	cur, w := f.p.Cursor(), f.word()
	for _, g := range list[min(1, len(list)):] {
		lo, hi, sp := cur.Pointer(g), cur.Pointer(g+w), cur.Pointer(g+goSchedSP*w)
		if cur.Reset() == nil && g != cur.Pointer(cur.Pointer(g+goMOfG*w)) && lo < sp && sp < hi {
			return sp, true
		}
	}
	return 0, false
}

// goroutines returns the g that a thread runs, which is one of the runtime's own while that gives up,
// and the others of its m: among them the goroutine that it ran before. The first one is the word
// before thread-local memory on x86, and in register x28 on arm64.
func (f goFinder) goroutines(t *core.Thread) []core.Addr {
	cur, w := f.p.Cursor(), f.word()
	var g core.Addr
	switch {
	case f.p.Arch == core.ARM64:
		v, _ := t.Regs.Get(28)
		g = core.Addr(v)
	case t.TLS != 0 && (f.p.Arch == core.AMD64 || f.p.Arch == core.I386):
		g = cur.Pointer(t.TLS - w)
	}
	if g == 0 {
		return nil
	}
	m := cur.Pointer(g + goMOfG*w)
	if cur.Err() != nil {
		return nil
	}
	out := []core.Addr{g}
	for i := range core.Addr(maxCurg) {
		at := cur.Pointer(m + w*i)
		if cur.Err() != nil {
			break
		}
		of := f.p.Cursor()
		if at != g && at%w == 0 && at != 0 && of.Pointer(at+goMOfG*w) == m && of.Err() == nil {
			out = append(out, at)
		}
	}
	return out
}
