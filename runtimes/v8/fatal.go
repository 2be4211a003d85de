package v8

import (
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Limits for the search of a fatal error's text.
const (
	fatalStack = 64 << 10 // bytes of the stack, from its top
	fatalText  = 200      // characters
)

// fatalWords are parts of V8's and Node's abort messages: heap/heap.cc, api/api.cc
// (V8::FatalProcessOutOfMemory, Utils::ReportApiFailure), src/node_errors.cc.
var fatalWords = []string{"heap limit", "CALL_AND_RETRY", "Allocation failed", "out of memory",
	"Ineffective mark-compacts",
	"Check failed", "Committing semi space failed", "semi-space copy", "object promotion failed", "invalid table size",
	"invalid array length"}

// FatalMessages returns the messages of an aborting V8 or Node, as far as the thread's stack still has them or
// refers to them, the nearest to its top first: the place where a fatal error was reported, and the reason. It
// looks for the message that V8_Fatal leaves in cores, and for pointers to such texts in memory that the
// program cannot write, where literals are. It does not find other messages that were put together at run time.
func (v *V8) FatalMessages(ctx context.Context, t *core.Thread) []string {
	var out []string
	for _, s := range layout.Stacks(v.Process, t) {
		data, _ := core.ReadBytes(v.Space, s.Start, min(fatalStack, uint64(s.End-s.Start)))
		for _, text := range v.fatalMessages(ctx, data) {
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// fatalMessages is FatalMessages of the beginning of a stack.
func (v *V8) fatalMessages(ctx context.Context, data []byte) []string {
	var out []string
	written := false // by V8_Fatal: then its format says nothing more
	for i := 0; i+8 <= len(data) && ctx.Err() == nil; i += 8 {
		a := core.Addr(v.Order.Uint64(data[i:]))
		if a == failureStart {
			if text, ok := v.failureMessage(data[i:]); ok && !slices.Contains(out, text) {
				out, written = append(out, text), true
			}
		}
		if a < 4096 {
			continue
		}
		m, ok := v.Process.Mapping(a)
		if !ok || m.Prot&core.Write != 0 {
			continue
		}
		text, ok := v.cString(a)
		if ok && !slices.Contains(out, text) &&
			slices.ContainsFunc(fatalWords, func(w string) bool { return strings.Contains(text, w) }) {
			out = append(out, text)
		}
	}
	if written {
		out = slices.DeleteFunc(out, func(text string) bool { return strings.Contains(text, "%s") })
	}
	return out
}

// The FailureMessage that V8_Fatal has on its stack (base/logging.cc): a word, a text, a word.
const (
	failureStart  = 0xdecade10
	failureEnd    = 0xdecade11
	failureLength = 512
)

// failureMessage returns the text of the FailureMessage that data begins with.
func (v *V8) failureMessage(data []byte) (string, bool) {
	const end = 8 + failureLength
	if len(data) < end+8 || v.Order.Uint64(data[end:]) != failureEnd {
		return "", false
	}
	text, _, _ := strings.Cut(string(data[8:end]), "\x00")
	return text, printable(text)
}

// cString reads a C string of printable characters.
func (v *V8) cString(a core.Addr) (string, bool) {
	var b [fatalText]byte
	n, _ := v.Space.ReadAt(b[:], a)
	text, _, ok := strings.Cut(string(b[:n]), "\x00")
	return text, ok && printable(text)
}

// printable reports whether a text is one in ASCII, and long enough not to be one by chance.
func printable(text string) bool { return len(text) >= 4 && layout.Printable(text) }
