package amend

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Entries of tables have a tag above the address.
const (
	payload = 1<<48 - 1
	// firstEntries are the bytes of a table that cannot be written, with the entry for 0
	// (sandbox/external-entity-table.h @ 11.7: kSegmentSize).
	firstEntries = 64 << 10
	// fewestEntries is the number of entries with a tag that a table must have.
	fewestEntries = 4
)

// EarlySandbox finds the parts of the sandbox in a build whose bytecodes are reached without it, so that
// nothing else shows the sandbox: the addresses and sizes of buffers, the values that external strings have
// instead of addresses, and possible starts of the tables for these. main is an object of the main cage.
func (v *Build) EarlySandbox(main core.Addr) {
	v.buffers(main &^ (layout.CageSize - 1))
	v.EarlyStrings()
	v.earlyTables()
}

// buffers looks at buffers and typed arrays with bytes: a sandboxed pointer has nothing
// in its lowest bits, and leads into the sandbox; sizes that are shifted have nothing there either.
func (v *Build) buffers(base core.Addr) {
	b, t, view := &v.Layout.JSArrayBuffer, &v.Layout.JSTypedArray, &v.Layout.JSArrayBufferView
	addresses, sandboxed, plain, bounded := 0, 0, 0, 0
	look := func(typ string, pointer, size int) {
		number := v.TypeNumber(typ)
		if number < 0 || pointer == layout.Unknown || size == layout.Unknown {
			return
		}
		for _, o := range v.Samples(number) {
			p, ok := v.Word(o.Addr().Add(int64(pointer)))
			n, ok1 := v.Word(o.Addr().Add(int64(size)))
			if !ok || !ok1 || p == 0 || n == 0 {
				continue
			}
			if p&(1<<layout.SandboxedShift-1) == 0 && v.mapped(base+core.Addr(p>>layout.SandboxedShift)) {
				sandboxed++
			} else if v.mapped(core.Addr(p)) {
				addresses++
			}
			if n&(1<<layout.BoundedSizeShift-1) == 0 {
				bounded++
			} else {
				plain++
			}
		}
	}
	look("JS_ARRAY_BUFFER_TYPE", b.BackingStore, b.ByteLength)
	look("JS_TYPED_ARRAY_TYPE", t.ExternalPointer, view.ByteLength)
	if sandboxed > addresses {
		v.Early.Base, v.Early.Bounded = base, bounded > plain
		v.bufferFlags()
	}
}

// maxBufferFlags is more than the flags of a buffer.
const maxBufferFlags = 1 << 8

// bufferFlags corrects the offset of a buffer's flags. Most buffers have some set. The flags follow the
// extension, which is an address or a handle of half as many bytes.
func (v *Build) bufferFlags() {
	b := &v.Layout.JSArrayBuffer
	if b.BitField == layout.Unknown {
		return
	}
	here, before := 0, 0
	for _, o := range v.Samples(v.TypeNumber("JS_ARRAY_BUFFER_TYPE")) {
		at, ok := v.U32Field(o, b.BitField)
		lower, ok1 := v.U32Field(o, b.BitField-4)
		switch {
		case !ok || !ok1:
		case at != 0 && at < maxBufferFlags:
			here++
		case at == 0 && lower != 0 && lower < maxBufferFlags:
			before++
		}
	}
	if before > here {
		v.Layout.Probed("JSArrayBuffer", "BitField", b.BitField-4)
	}
}

// mapped reports whether a process had memory at a, whether or not the core has it.
func (v *Build) mapped(a core.Addr) bool {
	_, ok := v.Space.Find(a)
	return ok
}

// EarlyStrings finds the table for the handles of external strings, if the strings have no addresses: it begins
// with a page, and leads to texts and to objects with virtual functions (sandbox/external-pointer-table.h @
// 11.0). A handle may have the room of an address, as in 10.7.
func (v *Build) EarlyStrings() {
	l := &v.Layout.String
	texts := v.ExternalStrings()
	if len(texts) == 0 || l.ExternalResource == layout.Unknown || l.ExternalData == layout.Unknown {
		return
	}
	for _, text := range texts {
		at, ok := v.Word(text.Addr().Add(int64(l.ExternalResource)))
		if ok && at>>47 == 0 && v.leadsToCode(core.Addr(at)) {
			return // an address
		}
	}
	best, most, bestShift, bestData := core.Addr(0), 0, 0, 0
	for from := range v.tables() {
		for shift := layout.LeastIndexShift; shift <= layout.MostIndexShift; shift++ {
			for _, base := range []core.Addr{from, from - firstEntries} {
				for _, data := range []int{l.ExternalResource + 4, l.ExternalResource + 8} {
					n := 0
					for _, text := range texts {
						if v.fits(base, shift, text, data) {
							n++
						}
					}
					if n > most {
						best, most, bestShift, bestData = base, n, shift, data
					}
				}
			}
		}
	}
	if 2*most <= len(texts) {
		return
	}
	v.Early.StringResource = func(_ layout.Tagged, handle uint32) (core.Addr, bool) {
		return v.entry(best, bestShift, handle)
	}
	v.Layout.Probed("String", "ExternalData", bestData)
}

// tables yields where what can be written of tables of addresses outside of the heap may begin.
func (v *Build) tables() iter.Seq[core.Addr] {
	return func(yield func(core.Addr) bool) {
		for _, seg := range v.Space.Segments() {
			if seg.Kind != core.SegCore || seg.Prot&core.Write == 0 || v.InCage(seg.Start) ||
				seg.Start&(layout.PageSize-1) != 0 {
				continue
			}
			if !yield(seg.Start) {
				return
			}
		}
	}
}

// earlyTables notes what looks like tables of addresses outside of the heap: all of the first entries that
// can be written and are not empty have a tag.
func (v *Build) earlyTables() {
	for from := range v.tables() {
		data, _ := core.ReadBytes(v.Space, from, firstEntries)
		tagged, plain := 0, 0
		for i := 0; i+8 <= len(data); i += 8 {
			switch w := v.Order.Uint64(data[i:]); {
			case w == 0:
			case w&^payload != 0:
				tagged++
			default:
				plain++
			}
		}
		if tagged >= fewestEntries && plain == 0 {
			v.Early.Tables = append(v.Early.Tables, from, from-firstEntries)
		}
	}
}

// fits reports whether the handles of an external string lead to its characters and its resource by the table
// at base.
func (v *Build) fits(base core.Addr, shift int, text layout.Tagged, data int) bool {
	resource, ok := v.U32Field(text, v.Layout.String.ExternalResource)
	chars, ok1 := v.U32Field(text, data)
	if !ok || !ok1 {
		return false
	}
	at, ok := v.entry(base, shift, resource)
	from, ok1 := v.entry(base, shift, chars)
	return ok && ok1 && v.leadsToCode(at) && v.IsText(text, from)
}

// leadsToCode reports whether an object at an address has virtual functions.
func (v *Build) leadsToCode(at core.Addr) bool {
	table, ok := v.Word(at)
	first, ok1 := v.Word(core.Addr(table))
	return ok && ok1 && v.Process.Executable(core.Addr(first))
}

// entry returns what a handle stands for by the table at base.
func (v *Build) entry(base core.Addr, shift int, handle uint32) (core.Addr, bool) {
	if handle == 0 {
		return 0, false
	}
	entry, ok := v.Word(base + core.Addr(handle>>uint(shift))*8)
	return core.Addr(entry & payload), ok && entry != 0
}
