package art

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/dex"
	"coredbg/walk"
)

// Decode returns the Java frames that the frame f stands for, innermost first.
// It returns none for frames of machine code, those that the runtime makes to
// save registers among them.
func (a *ART) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	q, ok := f.Record.(*Activation)
	if !ok {
		return nil, nil
	}
	return a.Source(q), nil
}

// Source returns the Java frames of an activation, innermost first.
func (a *ART) Source(q *Activation) []runtimes.SourceFrame {
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
func source(m *Method, pc uint32, known bool, kind FrameKind) runtimes.SourceFrame {
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

// methodOfClass finds the ArtMethod of an index in method_ids among those of a
// method's own class.
func (a *ART) methodOfClass(m *Method, index uint32) (core.Addr, bool) {
	l := a.layout
	array, ok := a.u64(m.DeclaringClass.Add(int64(l.Class.Methods)))
	if !ok || array == 0 {
		return 0, false
	}
	// LengthPrefixedArray<ArtMethod>: a 32-bit count, then the methods at the
	// next multiple of their alignment.
	n, _ := a.u32(core.Addr(array))
	at := core.Addr(array) + core.Addr(a.ptr)
	for range min(n, 1<<16) {
		i, ok := a.u32(at.Add(int64(l.ArtMethod.DexMethodIndex)))
		if !ok {
			return 0, false
		}
		if i == index {
			return at, true
		}
		at += core.Addr(l.ArtMethod.Size)
	}
	return 0, false
}

// nameByIndex names a method of which no more than its index is known.
func (a *ART) nameByIndex(m *Method, f *dex.File) {
	id, err := f.Method(m.Index)
	if err != nil {
		m.Problem = err.Error()
	}
	if id.Name != "" && id.Class != "" {
		m.Class, m.Name, m.Signature = dex.TypeName(id.Class), id.Name, id.Proto.Signature()
	}
}
