package frame

import (
	"sync"

	"coredbg/runtimes"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/walk"
)

// A Decoder decodes the threads of a runtime and their frames. It is safe for
// concurrent use.
type Decoder struct {
	*ThreadReader
	isa   *isa
	nterp func() []layout.Span
}

// NewDecoder returns the decoder of a process' frames.
func NewDecoder(r *object.Reader) *Decoder {
	d := &Decoder{ThreadReader: newThreadReader(r), isa: isaOf(r.Process.Arch)}
	d.nterp = sync.OnceValue(d.nterpSpans)
	return d
}

// Decode returns the Java frames that the frame f stands for, innermost first. It returns nil for frames of
// machine code, including the frames that the runtime makes to save registers.
func (d *Decoder) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	q, ok := f.Record.(*Activation)
	if !ok {
		return nil, nil
	}
	return d.Source(q), nil
}

// Source returns the Java frames of an activation, innermost first.
func (d *Decoder) Source(q *Activation) []runtimes.SourceFrame {
	if q.Kind == RuntimeSave {
		return nil
	}
	out := make([]runtimes.SourceFrame, 0, len(q.Inlined)+1)
	for i := range q.Inlined {
		c := &q.Inlined[i]
		f := source(c.Method, c.DexPC, true, q.Kind)
		f.Inlined = true
		f.Note = join(f.Note, c.Note)
		out = append(out, f)
	}
	f := source(q.Method, q.DexPC, q.HasDexPC, q.Kind)
	f.Note = join(f.Note, q.Note)
	return append(out, f)
}

// source makes the frame of a method at a dex pc.
func source(m *code.Method, pc uint32, known bool, kind Kind) runtimes.SourceFrame {
	f := runtimes.SourceFrame{Kind: runtimes.Java, Name: m.String(), Tier: string(kind), File: m.File, Function: m.Addr}
	if m.Dex != nil {
		f.Unit = m.Dex.Addr
	}
	if m.Class == "" && m.Problem != "" {
		f.Note = "name unknown: " + m.Problem
	}
	switch {
	case m.Native():
		f.File = ""
	case known:
		f.Line = m.Line(pc)
	}
	return f
}

// join puts caveats together.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}
