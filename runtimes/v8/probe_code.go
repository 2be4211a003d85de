package v8

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Machine code that V8 makes is on pages of its own, as InstructionStreams: what their type
// is called can be seen, and where the Code of each has its size, which the stream has too.
// Source: objects/instruction-stream.h, objects/code.h @ 11.8 to 15.0.

const (
	// Where an InstructionStream has the Code it belongs to and the bytes of its body, which
	// comes after.
	streamCode, streamBody, streamHead = 4, 12, 16
	streamAlign                        = 64
	maxStreams                         = 64
	maxStreamBody                      = 16 << 20
	// codeSlots are the tagged fields of a Code that come first: data of the deoptimizer, positions, its wrapper.
	codeSlots = 3
	// maxHeader is more than a page has before its first object.
	maxHeader = 0x1000
	// lastCodeField is more than the bytes before the size of a Code.
	lastCodeField = 64
)

// streams returns objects of V8's pages of machine code, from the start of each. Without a table of
// pages' metadata each begins with the first that looks like one.
func (v *V8) streams() (list []layout.Tagged) {
	for _, s := range v.Space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Exec == 0 || v.Process.Module(s.Start) != nil {
			continue
		}
		if v.Sandbox == nil || v.Sandbox.PageMetadata == nil {
			list = v.streamsFrom(firstStream(v, s.Start), s.End, list)
			continue
		}
		layout.EachChunk(s, func(a core.Addr) bool {
			index, ok := v.U32(a + metadataIndex)
			metadata, ok1 := v.Sandbox.PageMetadata(index)
			start, ok2 := v.Word(metadata + core.Addr(layout.Pages[0].AreaStart))
			if at := core.Addr(start); ok && ok1 && ok2 && at > a && at < a+layout.ChunkSize {
				list = v.streamsFrom(at, a+layout.ChunkSize, list)
			}
			return len(list) < maxStreams
		})
	}
	return list
}

// firstStream returns where the first object of a page of machine code may begin, of which at has what can be run:
// it has a Code, or the next one is of the same type.
func firstStream(v *V8, at core.Addr) core.Addr {
	for a := at + streamAlign - streamHead; a < at+maxHeader; a += streamAlign {
		code, ok := v.ProtectedField(layout.Tag(a), streamCode)
		if ok && v.Is(code, v.Types.Code) {
			return a
		}
		if list := v.streamsFrom(a, a+layout.ChunkSize, nil); len(list) > 1 {
			first, _ := v.MapOf(list[0])
			if next, _ := v.MapOf(list[1]); first == next {
				return a
			}
		}
	}
	return at
}

func (v *V8) streamsFrom(at, end core.Addr, list []layout.Tagged) []layout.Tagged {
	for at < end && len(list) < maxStreams {
		m, ok := v.TaggedAt(at)
		body, ok1 := v.U32(at + streamBody)
		if !ok || !ok1 || !m.IsHeap() || !v.IsMap(m) || body == 0 || body > maxStreamBody {
			break
		}
		list = append(list, layout.Tag(at))
		at += core.Addr(streamHead+uint64(body)+streamAlign-1) &^ (streamAlign - 1)
	}
	return list
}

// mainFields returns the fields of trusted objects that lead to the main cage in this build: where there
// are objects in most cases, and in that of trusted objects there are not.
func mainFields(v *V8) map[layout.TypeField]bool {
	main, trusted := map[layout.TypeField]int{}, map[layout.TypeField]int{} // how many lead to objects
	count := func(o layout.Tagged, off int) {
		typ, _ := v.InstanceType(o)
		at := layout.TypeField{Type: typ, Offset: off}
		here, there := bothCages(v, o, off)
		if _, is := v.InstanceType(here); is {
			main[at]++
		}
		if _, is := v.InstanceType(there); is {
			trusted[at]++
		}
	}
	for _, s := range v.streams() {
		count(s, streamCode)
		code, there := bothCages(v, s, streamCode)
		if !v.Is(code, v.Types.Code) {
			code = there
		}
		for i := 1; i <= codeSlots && v.Is(code, v.Types.Code); i++ {
			count(code, v.OwnHandle()+v.Slots(i))
		}
	}
	for _, fn := range v.someFunctions() {
		shared, _ := v.Objects.ClosureShared(fn)
		array, ok := v.Objects.BytecodeOf(shared)
		for off := v.BytecodeLengthAt() + v.SlotSize(); ok && off < v.Layout.BytecodeArray.FrameSize; off += v.SlotSize() {
			count(array, off)
		}
	}
	out := map[layout.TypeField]bool{}
	for at, n := range main {
		if n >= leastFieldVotes && n > trusted[at] {
			out[at] = true
		}
	}
	return out
}

// bothCages returns what a field leads to in the main cage and in that of trusted objects; the number twice if it holds one.
func bothCages(v *V8, o layout.Tagged, off int) (main, trusted layout.Tagged) {
	main, ok := v.Field(o, off)
	if !ok || !main.IsHeap() {
		return main, main
	}
	return main, layout.Decompress(uint32(main), v.Sandbox.TrustedCage)
}

// probeCode corrects where a Code has the size of its instructions, and its flags, which are
// before that: the size is the body's where nothing else is in that.
func (v *V8) probeCode() {
	votes := map[int]int{}
	best := v.Layout.Code.InstructionSize
	for _, s := range v.streams() {
		code, ok := v.ProtectedField(s, streamCode)
		body, ok1 := v.U32Field(s, streamBody)
		if !ok || !ok1 || !v.Is(code, v.Types.Code) {
			continue
		}
		for off := streamHead; off < lastCodeField; off += 4 {
			if n, ok := v.U32Field(code, off); ok && n == body {
				votes[off]++
			}
		}
	}
	for off, n := range votes {
		if n > votes[best] || n == votes[best] && off < best && best != v.Layout.Code.InstructionSize {
			best = off
		}
	}
	if best != v.Layout.Code.InstructionSize && votes[best] >= leastFieldVotes {
		v.Layout.Probed("Code", "InstructionSize", best)
		v.Layout.Probed("Code", "Flags", best-4)
	}
}

// probeDispatch corrects where functions have the handle of their code: builds without
// leaptiering have the Code itself there (objects/js-function.tq).
func (v *V8) probeDispatch() {
	at := v.Layout.JSFunction.DispatchHandle
	if at == layout.Unknown {
		return
	}
	functions, coded := v.someFunctions(), 0
	for _, f := range functions {
		if w, ok := v.Field(f, at); ok && w.IsHeap() && v.Is(w, v.Types.Code) {
			coded++
		}
	}
	if coded > 0 && 2*coded > len(functions) {
		v.Layout.Probed("JSFunction", "DispatchHandle", layout.Unknown)
	}
}
