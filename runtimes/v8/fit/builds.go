package fit

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// probeDescriptors corrects where the entries of descriptor arrays begin: a name and the
// details, a Smi, of each property of the functions that are on a stack.
func (v *Candidate) probeDescriptors() {
	l, d := v.Layout, &v.Layout.DescriptorArray
	if d.Header == layout.Unknown {
		return
	}
	votes := map[int]int{}
	best := d.Header
	for _, fn := range v.sampleFunctions() {
		m, ok := v.MapOf(fn)
		bits, ok1 := v.U32Field(m, l.Map.BitField3)
		list, ok2 := v.Field(m, l.Map.Descriptors)
		n := int(bits) & l.Map.OwnDescriptorMask >> uint(l.Map.OwnDescriptorShift)
		if !ok || !ok1 || !ok2 || n < 2 {
			continue
		}
		for header := v.Slots(1); header <= v.Slots(maxDescriptorHeader); header += v.SlotSize() {
			if v.hasDescriptors(list, header, n) {
				votes[header]++
			}
		}
	}
	for header, n := range votes {
		if n > votes[best] {
			best = header
		}
	}
	if best != d.Header {
		v.Layout.Probed("DescriptorArray", "Header", best)
	}
}

// probeFlags corrects the bit positions in a map's bit_field. Two facts show them. Functions are callable, bit
// 1 (objects/map.tq: MapBitFields1), and many of a program's functions are constructors, bit 6. The lowest bit,
// a prototype that is not an object, is rarely set. If both bits are one position lower, the lowest bit is
// gone.
func (v *Candidate) probeFlags() {
	const callable, constructor = 1 << 1, 1 << 6
	here, lower := 0, 0
	for _, fn := range v.sampleFunctions() {
		m, ok := v.MapOf(fn)
		if !ok {
			continue
		}
		var b [1]byte
		if !v.Bytes(b[:], m.Addr().Add(int64(v.Layout.Map.BitField))) {
			continue
		}
		if b[0]&callable != 0 {
			here++
		} else if b[0]<<1&(callable|constructor) != 0 {
			lower++
		}
	}
	if lower > here {
		v.Layout.Probed("Map", "FlagsShift", 1)
	}
}

// maxDescriptorHeader is more than the tagged fields before the entries.
const maxDescriptorHeader = 6

// hasDescriptors reports whether n entries of list begin at header.
func (v *Candidate) hasDescriptors(list layout.Tagged, header, n int) bool {
	d := &v.Layout.DescriptorArray
	for i := range n {
		at := header + v.Slots(d.EntryWords*i)
		key, ok := v.Field(list, at+v.Slots(d.Key))
		_, ok1 := v.SmiField(list, at+v.Slots(d.Details))
		if !ok || !ok1 || !v.Objects.IsString(key) && !v.Is(key, v.Types.Symbol) {
			return false
		}
	}
	return true
}

// wantSamples is how many objects of a type are enough.
const wantSamples = 64

// hasStores reports whether o has properties and elements, as objects of JavaScript do:
// a map is referred to by others than its instances.
func (v *Candidate) hasStores(o layout.Tagged) bool {
	for _, off := range []int{v.Layout.JSReceiver.Properties, v.Layout.JSObject.Elements} {
		w, ok := v.Field(o, off)
		if !ok {
			return false
		}
		if w.IsSmi() && off == v.Layout.JSObject.Elements {
			return false
		}
		if typ, ok := v.InstanceType(w); !w.IsSmi() && (!ok || typ >= v.Types.FirstReceiver || typ == v.Types.MapType) {
			return false
		}
	}
	return true
}

// samples returns objects of JavaScript of an instance type, from the pages of any heap.
func (v *Candidate) samples(typ int) (list []layout.Tagged) {
	maps := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		is, known := maps[m]
		if !known {
			t, ok := v.MapInstanceType(m)
			is = ok && t == typ && v.IsMap(m)
			maps[m] = is
		}
		if o := layout.Tag(a); is && v.hasStores(o) {
			touch(v.Memory, a)
			list = append(list, o)
		}
		return len(list) < wantSamples
	})
	return list
}

// heapObjects iterates over objects on the pages of any heap whose types come after the type of maps.
func heapObjects(v *Candidate) iter.Seq[layout.Tagged] {
	return func(yield func(layout.Tagged) bool) {
		maps := map[layout.Tagged]bool{}
		v.objects().each(func(a core.Addr, m layout.Tagged) bool {
			is, known := maps[m]
			if !known {
				typ, ok := v.MapInstanceType(m)
				is = ok && typ > v.Types.MapType && v.IsMap(m)
				maps[m] = is
			}
			return !is || yield(layout.Tag(a))
		})
	}
}

// wantShapes is how many maps are enough to see what all of them have.
const wantShapes = 512

// shapes returns JavaScript objects of an instance type, each with a different map. The first objects of a heap
// are V8's own, and many of them are alike.
func (v *Candidate) shapes(typ int) (list []layout.Tagged) {
	seen := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		if seen[m] {
			return true
		}
		if t, ok := v.MapInstanceType(m); !ok || t != typ || !v.IsMap(m) {
			seen[m] = true
			return true
		}
		if o := layout.Tag(a); v.hasStores(o) {
			seen[m] = true
			touch(v.Memory, a)
			list = append(list, o)
		}
		return len(list) < wantShapes
	})
	return list
}

// maxPromiseSlots is a bound above the number of words of a promise before the embedder's fields.
const maxPromiseSlots = 4

// probePromise corrects where a promise keeps its flags: embedders have added words
// before them. They are the first word after the result that is a Smi in each promise,
// with a state (objects/js-promise.tq: JSPromiseFlags), and not always the same.
func (v *Candidate) probePromise() {
	list := v.samples(v.Types.JSPromise)
	first := v.Layout.JSPromise.Reactions
	if len(list) < 2 || first == layout.Unknown {
		return
	}
	for i := 1; i <= maxPromiseSlots; i++ {
		off := first + v.Slots(i)
		seen := map[int]bool{}
		fits := 0
		for _, o := range list {
			if n, ok := v.SmiField(o, off); ok && n >= 0 && n < 1<<31 && n&3 != 3 {
				seen[n] = true
				fits++
			}
		}
		// An old one may be memory that is in use for something else now.
		if 10*fits >= 9*len(list) && len(seen) > 1 {
			if off != v.Layout.ObjectLayout.JSPromise.Flags {
				v.Layout.Probed("JSPromise", "Flags", off)
			}
			return
		}
	}
}

// Limits of looking for the promises of async functions: words after where they are
// expected, and functions that must agree.
const (
	maxGeneratorSlots = 3
	leastGenerators   = 2
)

// probeGeneratorPromise corrects the offset of the promise in an async function's object: the first word after
// a generator's fields that is a promise in most of the objects.
func (v *Candidate) probeGeneratorPromise() {
	first := v.Layout.JSGeneratorObject.Promise
	if first == layout.Unknown || v.Types.JSPromise < 0 {
		return
	}
	votes := map[int]int{}
	total := 0
	receivers := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		is, known := receivers[m]
		if !known {
			typ, ok := v.MapInstanceType(m)
			is = ok && typ > v.Types.JSObject && v.IsMap(m)
			receivers[m] = is
		}
		o := layout.Tag(a)
		if !is || !v.Objects.IsGenerator(o) {
			return true
		}
		for i := range maxGeneratorSlots {
			off := first + v.Slots(i)
			if w, ok := v.Field(o, off); ok && v.Is(w, v.Types.JSPromise) {
				touch(v.Memory, a)
				votes[off]++
				total++
				break
			}
		}
		return total < wantSamples
	})
	for off, n := range votes {
		if off != first && n >= leastGenerators && 2*n > total {
			v.Layout.Probed("JSGeneratorObject", "Promise", off)
		}
	}
}
