package amend

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

const (
	// leastCode is the least number of facts of code objects that must confirm a layout.
	leastCode = 4
	// maxCode bounds the objects to look at, maxCodeBody the bytes of one, maxCodeHead the bytes of a
	// page before its first object (heap/memory-chunk-layout.h).
	maxCode     = 64
	maxCodeBody = 16 << 20
	maxCodeHead = 0x5000
)

// Code corrects the objects of machine code where the table's do not fit. With a cage of their own
// (V8_EXTERNAL_CODE_SPACE) they were Codes until V8 11.2, as in 10.2, and InstructionStreams with a
// shorter header in 11.3 than in later versions. If the fields are right, another object follows each
// object (objects/code.h, objects/instruction-stream.h).
func (v *Build) Code() {
	c := &v.Layout.Code
	if !v.bodies() || c.FromBody != layout.Unknown {
		return
	}
	// Such Codes have all their numbers together, with the external code space after half an address
	// (objects/code.h @ 8.7, 9.2, 10.2); the size of the tables may be one.
	with, without := *v.Layout, *v.Layout
	with.Code.Flags, without.Code.Flags = c.InstructionSize+8, c.InstructionSize+4
	at, most := with.Code.Flags, v.codeFits(&with)
	if n := v.codeFits(&without); n > most || n == most && c.HasMetadata == 0 {
		at = without.Code.Flags
	}
	if c.Flags != at {
		v.Layout.Probed("Code", "Flags", at)
	}
}

// bodies is Code without the flags. It reports whether the fields fit.
func (v *Build) bodies() bool {
	l := v.Layout
	if l.Code.Body == layout.Unknown {
		return false
	}
	var best *layout.Layout
	own := v.codeFits(l)
	most := max(own, leastCode-1)
	for _, peer := range v.Image.Constants.Table.PeerLayouts() {
		moved := *l // the Codes of this version, apart from where they lie
		moved.Code.Body, moved.Code.FromBody = peer.Code.Body, peer.Code.FromBody
		for _, x := range []*layout.Layout{peer, &moved} {
			if n := v.codeFits(x); n > most {
				best, most = x, n
			}
		}
	}
	if best == nil {
		return own >= leastCode
	}
	c := &best.Code
	for field, value := range map[string]int{"Body": c.Body, "FromBody": c.FromBody, "DeoptData": c.DeoptData,
		"PositionTable": c.PositionTable, "Flags": c.Flags, "InstructionSize": c.InstructionSize} {
		l.Probed("Code", field, value)
	}
	return true
}

// codeFits counts the facts that confirm a layout's fields of machine code: objects with another object after them,
// and objects whose Code has the same size.
func (v *Build) codeFits(l *layout.Layout) (n int) {
	seen := 0
	for o := range v.codes(l) {
		n++
		body, _ := v.codeBody(l, o)
		if size, ok := v.codeSize(l, o); ok && size == body {
			n++
		}
		if seen++; seen == maxCode {
			break
		}
	}
	return n
}

// Codes returns objects of machine code.
func (v *Build) Codes() (list []layout.Tagged) {
	for o := range v.codes(v.Layout) {
		if list = append(list, o); len(list) == maxCode {
			break
		}
	}
	return list
}

// codes goes through objects of V8's pages of machine code by the fields of a layout.
func (v *Build) codes(l *layout.Layout) iter.Seq[layout.Tagged] {
	return func(yield func(layout.Tagged) bool) {
		if c := &l.Code; c.Body <= 0 || c.FromBody == layout.Unknown && c.InstructionSize == layout.Unknown {
			return
		}
		for _, s := range v.Space.Segments() {
			if s.Kind != core.SegCore || s.Prot&core.Exec == 0 || v.Process.Module(s.Start) != nil {
				continue
			}
			for a := s.Start; a < s.End; {
				end := min((a+layout.ChunkSize)&^(layout.ChunkSize-1), s.End)
				if !v.codesIn(l, a, end, yield) {
					return
				}
				a = s.NextData(end)
			}
		}
	}
}

// codesIn is codes of one page. It reports whether to go on.
func (v *Build) codesIn(l *layout.Layout, a, end core.Addr, yield func(layout.Tagged) bool) bool {
	align, body := core.Addr(l.CodeAlignment(v.Process.Arch)), core.Addr(l.Code.Body)
	until := min(a+maxCodeHead, end)
	for at := (a+body+align-1)&^(align-1) - body; at < until; at += align {
		first, ok := v.TaggedAt(at)
		if !ok || !first.IsHeap() || !v.IsMap(first) {
			continue
		}
		for { // objects one after the other
			next, ok := v.afterCode(l, at)
			m, ok1 := v.TaggedAt(next)
			if !ok || !ok1 || next >= end || !m.IsHeap() || !v.IsMap(m) {
				break
			}
			if !yield(layout.Tag(at)) {
				return false
			}
			until = end
			if m != first { // what is free
				at = next - align
				break
			}
			at = next
		}
	}
	return true
}

// afterCode returns where the object after one of machine code begins.
func (v *Build) afterCode(l *layout.Layout, at core.Addr) (core.Addr, bool) {
	n, ok := v.codeBody(l, layout.Tag(at))
	align := core.Addr(l.CodeAlignment(v.Process.Arch))
	return at + (core.Addr(l.Code.Body)+core.Addr(n)+align-1)&^(align-1), ok
}

// codeBody returns the bytes of instructions and tables, such as the safepoint table, in an object of machine code.
func (v *Build) codeBody(l *layout.Layout, o layout.Tagged) (n uint32, ok bool) {
	if c := &l.Code; c.FromBody != layout.Unknown && c.Body >= v.Slots(4) {
		n, ok = v.U32Field(o, c.Body-v.Slots(1)) // the last of its fields: objects/instruction-stream.h @ 11.4
		return n, ok && n > 0 && n <= maxCodeBody
	}
	return v.codeSize(l, o)
}

// codeSize returns the same by the sizes of both in the Code (objects/code.h @ 8.8).
func (v *Build) codeSize(l *layout.Layout, o layout.Tagged) (n uint32, ok bool) {
	c := &l.Code
	if c.FromBody != layout.Unknown {
		if o, ok = v.ProtectedField(o, c.FromBody); !ok {
			return 0, false
		}
	}
	n, ok = v.U32Field(o, c.InstructionSize)
	if !ok || n == 0 || n > maxCodeBody {
		return 0, false
	}
	if at := l.MetadataSize(); at != layout.Unknown {
		more, ok := v.U32Field(o, at)
		if !ok || more > maxCodeBody {
			return 0, false
		}
		n += more
	}
	return n, true
}
