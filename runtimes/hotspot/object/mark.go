package object

import "coredbg/runtimes/hotspot/vmstructs"

// A marking is how the mark word of an unlocked object is written (share/oops/markWord.hpp): a constant,
// the age and the identity hash, and no other bit.
type marking struct {
	known    bool
	free     uint64 // the bits of age and hash
	unlocked uint64
	// biased is the constant, before JDK 18, of an object that no thread has locked for itself yet; epoch
	// are more bits of it.
	biased, epoch uint64
}

func newMarking(t *vmstructs.Tables) (m marking) {
	constant := func(name string) (v uint64, ok bool) {
		n, ok := t.Constant("markWord::"+name, "markOopDesc::"+name)
		return uint64(n), ok
	}
	age, ok1 := constant("age_mask_in_place")
	hash, ok2 := constant("hash_mask_in_place")
	unlocked, ok3 := constant("unlocked_value")
	m.known, m.free, m.unlocked = ok1 && ok2 && ok3, age|hash, unlocked
	m.biased, _ = constant("biased_lock_pattern")
	m.epoch, _ = constant("epoch_mask_in_place")
	return m
}

// Unlocked reports whether memory begins with the mark word of an unlocked object. Nearly all objects are unlocked,
// and few other words look like their mark words. It is true where the tables do not say how a mark word is written.
func (r *Reader) Unlocked(b []byte) bool {
	m := &r.marking
	if !m.known || len(b) < 8 {
		return !m.known
	}
	mark := r.Process.Arch.Order.Uint64(b)
	if r.h.compactHeaders {
		mark &= 1<<r.h.klassShift - 1
	}
	return mark&^m.free == m.unlocked || m.biased != 0 && mark&^(m.free|m.epoch) == m.biased
}
