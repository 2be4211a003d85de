package deno

import (
	"errors"
	"math/bits"
	"slices"

	"coredbg/core"
)

// Which ops do not keep the process alive is a HashSet of the numbers of their promises
// (core/runtime/jsrealm.rs: ContextState::unrefed_ops), in the state of the realm or behind an Rc
// of it. Its hash of a number is the number, which no other set of the state has. An op that is
// answered is taken out.

// Limits for hash tables of Rust, hashbrown's src/raw.rs (RawTableInner), of version 0.14 and 0.16.
const (
	maxBuckets = 1 << 20
	maxProbes  = 64 // groups
	emptySlot  = 0xff
	goneSlot   = 0x80
)

// groups are how many control bytes are looked at together, with SSE2 and without.
var groups = []int{16, 8}

var errNoUnref = core.Unknown(errors.New("deno: the state of the realm with the set of ops that are unreferenced was not found"))

// unreferenced returns the numbers below next of the ops of a realm that are unreferenced. A set that
// was never filled shows only its shape: if no set of the state has numbers, no op is unreferenced.
func (dr *Reader) unreferenced(s *scope, c *opContexts, next int) (map[int]bool, error) {
	native, err := dr.objects.NativeContext(s.context)
	if err != nil {
		return nil, err
	}
	for _, state := range dr.embedderPointers(native) {
		if !dr.stateOf(state, c) {
			continue
		}
		var empty, full map[int]bool
		for at := state; at < state+maxContextState && full == nil; at += 8 {
			set, ok := dr.numberSet(at, next)
			if !ok {
				set, ok = dr.countedSet(at, next)
			}
			switch {
			case ok && len(set) > 0:
				full = set
			case ok:
				empty = set
			}
		}
		if full == nil {
			full = empty
		}
		if full != nil {
			return full, nil
		}
	}
	return nil, errNoUnref
}

// stateOf reports whether a block is the state of the realm whose ops these are: it owns the array
// of their OpCtx, a Box of a slice.
func (dr *rustMemory) stateOf(block core.Addr, c *opContexts) bool {
	for at := block; at < block+maxContextState; at += 8 {
		p, ok1 := dr.Word(at)
		n, ok2 := dr.Word(at + 8)
		if !ok1 || !ok2 {
			return false
		}
		if core.Addr(p) == c.base && n >= fewContexts && n <= mostContexts {
			return true
		}
	}
	return false
}

// countedSet reads the set that a word leads to by way of an Rc and a RefCell that is not borrowed.
func (dr *rustMemory) countedSet(at core.Addr, next int) (map[int]bool, bool) {
	const most = 1 << 16 // references
	rc, ok := dr.Word(at)
	if !ok || rc&7 != 0 || rc < core.TracePage || dr.image(core.Addr(rc)) {
		return nil, false
	}
	strong, ok1 := dr.Word(core.Addr(rc))
	weak, ok2 := dr.Word(core.Addr(rc) + 8)
	borrowed, ok3 := dr.Word(core.Addr(rc) + 16)
	if !ok1 || !ok2 || !ok3 || strong == 0 || strong > most || weak == 0 || weak > most || borrowed != 0 {
		return nil, false
	}
	return dr.numberSet(core.Addr(rc)+24, next)
}

// numberSet reads a HashSet<i32> whose hash is the number itself: the numbers are before the control
// bytes, the last one next to them. The words are control bytes' address, mask, growth_left, items.
func (dr *rustMemory) numberSet(at core.Addr, next int) (map[int]bool, bool) {
	var w [4]uint64
	for i := range w {
		x, ok := dr.Word(at + core.Addr(8*i))
		if !ok {
			return nil, false
		}
		w[i] = x
	}
	control, mask, left, items := core.Addr(w[0]), w[1], w[2], w[3]
	buckets := mask + 1
	if control < core.TracePage || control&7 != 0 || buckets == 0 || buckets > maxBuckets ||
		bits.OnesCount64(buckets) != 1 {
		return nil, false
	}
	if mask == 0 { // never filled: a group of the image, without a bucket
		b := make([]byte, 8)
		ok := left == 0 && items == 0 && dr.image(control) && dr.Bytes(b, control)
		for _, c := range b {
			ok = ok && c == emptySlot
		}
		return map[int]bool{}, ok
	}
	room := mask // bucket_mask_to_capacity
	if mask >= 8 {
		room = buckets / 8 * 7
	}
	if items+left > room || left > room || dr.image(control) {
		return nil, false
	}
	states, numbers := make([]byte, buckets), make([]byte, 4*buckets)
	if !dr.Bytes(states, control) || !dr.Bytes(numbers, control-core.Addr(4*buckets)) {
		return nil, false
	}
	return dr.members(states, numbers, items, room-items-left, next)
}

// members returns the numbers of a set by its control bytes. Each says that a bucket is empty, was
// left, or has a number whose hash begins with these bits, which are 0 for a number that is not
// negative. The set has as many numbers as it counts, each where a search finds it.
func (dr *rustMemory) members(states, numbers []byte, items, gone uint64, next int) (map[int]bool, bool) {
	out := map[int]bool{}
	mask := len(states) - 1
	for i, c := range states {
		switch c {
		case emptySlot:
		case goneSlot:
			gone--
		case 0:
			id := int(int32(dr.Order.Uint32(numbers[4*(mask-i):])))
			if id < 0 || id >= next || !slices.ContainsFunc(groups,
				func(n int) bool { return found(states, id, i, n) }) {
				return nil, false
			}
			out[id] = true
		default:
			return nil, false
		}
	}
	return out, uint64(len(out)) == items && gone == 0
}

// found reports whether a search for a number comes to a bucket: it begins at the bucket of the
// number's hash and goes on by groups, each time one more of them, to the first with an empty bucket.
func found(states []byte, id, bucket, group int) bool {
	mask := len(states) - 1
	for at, step := id&mask, 0; step < maxProbes*group; at = (at + step) & mask {
		if (bucket-at)&mask < group {
			return true
		}
		for i := range min(group, len(states)) {
			if states[(at+i)&mask] == emptySlot {
				return false
			}
		}
		step += group
	}
	return false
}
