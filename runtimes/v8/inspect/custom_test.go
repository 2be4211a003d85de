package inspect

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestCustomOf: the function [util.inspect.custom] of a prototype counts, whatever its class is called. For a
// typed array the function of a class called Buffer does not count: it is Node's own.
func TestCustomOf(t *testing.T) {
	const constant = 1 << 5 // in the details of a property: its value is in the descriptors
	const text, symbol, descriptors, info, plain, function, array, keyed = 40, 128, 217, 262, 1057, 2066, 2116, 2108
	for _, class := range []string{"Buffer", "Other"} {
		h := v8test.NewMadeHeap(0x4000)
		at := v8test.ObjectsAt
		next := func(words ...uint64) layout.Tagged {
			o := at
			h.Put(at, words...)
			at += core.Addr(8 * len(words))
			return layout.Tag(o)
		}
		str := func(s string) uint64 {
			words := []uint64{uint64(h.Maps[text]), uint64(len(s)) << 32, 0, 0, 0, 0}
			for i, c := range []byte(s) {
				words[2+i/8] |= uint64(c) << (8 * (i % 8))
			}
			return uint64(next(words...))
		}
		h.Shape(function, 8, 8, 1, 3, false, next(uint64(h.Maps[descriptors]), 1|1<<16, 0, str("name"),
			v8test.SmiWord(constant), str(class)))
		shared := next(uint64(h.Maps[info]), 0, 0, 0, 0, 0, 0)
		fn := next(uint64(h.Maps[function]), 0, 0, uint64(shared), 0, 0, 0, 0)
		key := next(uint64(h.Maps[symbol]), 0, str(object.CustomInspect))
		h.Shape(plain, 3, 3, 2, 3, false, next(uint64(h.Maps[descriptors]), 2|2<<16, 0,
			str("constructor"), v8test.SmiWord(constant), uint64(fn), uint64(key),
			v8test.SmiWord(constant), uint64(fn)))
		prototype := next(uint64(h.Maps[plain]), 0, 0)
		for typ, want := range map[int]layout.Tagged{keyed: fn, array: map[string]layout.Tagged{"Other": fn}[class]} {
			h.Put(h.Maps[typ].Addr()+24, uint64(prototype))
			o := next(uint64(h.Maps[typ]), 0, 0, 0)
			b := &tree{v: New(object.New(h.Memory(), nil), nil)}
			if got := b.customOf(o); got != want {
				t.Errorf("class %s, type %d: %v, want %v", class, typ, core.Addr(got), core.Addr(want))
			}
		}
	}
}
