package object

import (
	"context"
	"slices"
	"strings"

	"coredbg/core"
)

// Limits for the search of a fatal error's text.
const (
	fatalStack = 64 << 10 // bytes of the stack, from its top
	fatalText  = 200      // characters
)

// fatalWords are parts of what V8 and Node say when they give up: heap/heap.cc,
// api/api.cc (V8::FatalProcessOutOfMemory, Utils::ReportApiFailure), src/node_errors.cc.
var fatalWords = []string{"heap limit", "CALL_AND_RETRY", "Allocation failed", "out of memory", "Ineffective mark-compacts",
	"Check failed", "Committing semi space failed", "semi-space copy", "object promotion failed", "invalid table size", "invalid array length"}

// FatalMessages returns the texts with which V8 or Node gave up, as far as the
// thread's stack still refers to them, the nearest to its top first: where a
// fatal error was reported, and why. It looks for pointers to such texts in
// memory that the program cannot write, where literals are, so a message that
// was put together at run time is not found.
func (r *Reader) FatalMessages(ctx context.Context, t *core.Thread) []string {
	sp, ok := t.Regs.Get(r.Process.Arch.SP)
	if !ok {
		return nil
	}
	var out []string
	data, _ := core.ReadBytes(r.Space, core.Addr(sp)&^7, fatalStack)
	for i := 0; i+8 <= len(data) && ctx.Err() == nil; i += 8 {
		a := core.Addr(r.Order.Uint64(data[i:]))
		if a < 4096 {
			continue
		}
		m, ok := r.Process.Mapping(a)
		if !ok || m.Prot&core.Write != 0 {
			continue
		}
		text, ok := r.cString(a)
		if ok && !slices.Contains(out, text) && slices.ContainsFunc(fatalWords, func(w string) bool { return strings.Contains(text, w) }) {
			out = append(out, text)
		}
	}
	return out
}

// cString reads a C string of printable characters.
func (r *Reader) cString(a core.Addr) (string, bool) {
	var b [fatalText]byte
	n, _ := r.Space.ReadAt(b[:], a)
	text, _, ok := strings.Cut(string(b[:n]), "\x00")
	if !ok || len(text) < 4 {
		return "", false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return "", false
		}
	}
	return text, true
}
