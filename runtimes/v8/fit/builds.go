package fit

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

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
