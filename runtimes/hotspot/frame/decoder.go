package frame

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/object"
	"coredbg/walk"
)

// A Decoder knows threads and frames. It is safe for concurrent use.
type Decoder struct {
	*code.Cache
	o          threadOffsets
	names      namesOffsets
	wrapper    int64     // of the JavaCallWrapper in an entry frame, in bytes from its frame pointer
	callReturn core.Addr // where Java returns to the stub that C entered it by

	once       sync.Once
	threads    []*Thread
	threadsErr error
	byNative   map[*core.Thread]*Thread

	wordOnce sync.Once
	word     int64 // of the bytecode pointer in a frame of the interpreter
}

// Supports reports whether frames of an architecture are known.
func Supports(a *core.Arch) bool { return a == core.AMD64 || a == core.ARM64 }

// NewDecoder returns a decoder of the code of a cache.
func NewDecoder(k *code.Cache) *Decoder {
	d := &Decoder{Cache: k, o: newThreadOffsets(k.Tables), names: newNamesOffsets(k.Tables)}
	c := d.Process.Cursor()
	if d.callReturn = c.Pointer(k.Static("StubRoutines._call_stub_return_address")); c.Err() != nil {
		d.callReturn = 0
	}
	words, ok := k.Constant("frame::entry_frame_call_wrapper_offset")
	if !ok || words > 0 || words < -64 {
		words = map[bool]int64{true: -8, false: -6}[d.Process.Arch == core.ARM64]
	}
	d.wrapper = 8 * words
	return d
}

// An Activation is what is known of a frame.
type Activation struct {
	// Blob is the code that it runs.
	Blob *code.Blob
	// Scopes are the methods that it is at, innermost first; the last is the one whose frame it is. Empty for stubs.
	Scopes []code.Scope
	// Tier is the code that runs: "interpreter", "c1", "c2", "native" for a wrapper; "" of stubs.
	Tier string
	// Entry is set if C has entered Java by it.
	Entry bool
	Note  string
	// Frozen is set if the frame is in a chunk of the heap: places in it are distances.
	Frozen bool

	last   bool // the frame has no caller
	caller walk.Frame
	size   core.Addr // 0: not known
}

// Decode returns the frames of Java that a frame stands for, innermost first, or the stub that it is. It
// returns none for frames of other code.
func (d *Decoder) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	q, ok := f.Record.(*Activation)
	if !ok {
		return nil, nil
	}
	if len(q.Scopes) == 0 {
		return []runtimes.SourceFrame{{Kind: runtimes.Stub, Name: stubName(q), Tier: stubTier(q), Note: q.Note}}, nil
	}
	out := make([]runtimes.SourceFrame, 0, len(q.Scopes))
	for i, s := range q.Scopes {
		f := source(s.Method, s.BCI)
		f.Tier, f.Inlined = q.Tier, i < len(q.Scopes)-1
		if s.Method.Native {
			f.Tier = "native" // the interpreter calls native methods, too
		}
		if i == 0 || !f.Inlined {
			f.Note = q.Note
		}
		out = append(out, f)
	}
	return out, nil
}

// source makes the frame of a method at a bytecode; -1 is none.
func source(m *object.Method, bci int) runtimes.SourceFrame {
	f := runtimes.SourceFrame{Kind: runtimes.Java, Name: m.String(), Function: m.Addr}
	if m.Native {
		return f
	}
	if f.File = m.File; bci >= 0 {
		f.Line = m.Line(bci)
	}
	return f
}

// stubName is what runs in a stub.
func stubName(q *Activation) string {
	switch {
	case q.Entry:
		return "call_stub"
	case q.Blob.Method != nil:
		return q.Blob.Method.String()
	}
	return q.Blob.Name
}

func stubTier(q *Activation) string {
	if q.Entry {
		return "entry"
	}
	return "internal"
}
