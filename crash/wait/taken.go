package wait

import (
	"slices"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/origin"
)

// A goTaken is a lock that a function has taken on the way to a place.
type goTaken struct {
	call *goCall
	weak bool // on another way to the place it has not, or may have given it back
}

// A goPlace is the index of an instruction, and whether that waits.
type goPlace struct {
	at    int
	waits bool
}

// A goSlot is a word of the frame that one instruction only stores to.
type goSlot struct {
	off   int64
	value origin.Formula
}

const maxGoSlots = 1 << 8

// findSlots finds the words of the frame that are stored to once. The stores for a call of morestack, in
// another frame, are left out.
func (fn *goFunction) findSlots() {
	stores := map[int64][]int{}
	for i := range fn.List {
		if m, ok := fn.Store(fn.arch, i); ok && !fn.again(i) && len(stores) < maxGoSlots {
			stores[m.At.Disp] = append(stores[m.At.Disp], i)
		}
	}
	fn.stored = stores
	for off, list := range stores {
		if len(list) != 1 {
			continue
		}
		m, _ := fn.Store(fn.arch, list[0])
		if f, ok := fn.Formula(fn.arch, list[0], m.Reg); ok && !fn.result(&f) {
			fn.slots = append(fn.slots, goSlot{off, f})
		}
	}
	slices.SortFunc(fn.slots, func(a, b goSlot) int { return int(a.off - b.off) })
}

// result reports whether a formula reads a word of the frame that only a function that was called can have
// stored to: its result, which the next call changes. On i386 Go's functions return values on the stack.
func (fn *goFunction) result(f *origin.Formula) bool {
	return fn.arch == core.I386 && f.Base == fn.arch.SP && len(f.Adds) > 1 && f.Adds[0] < fn.frameSize() &&
		len(fn.stored[f.Adds[0]]) == 0
}

// frameSize returns the number of bytes that the function takes from the stack first.
func (fn *goFunction) frameSize() int64 {
	const near = 12 // instructions, after the check for room
	for i := range fn.List[:min(near, len(fn.List))] {
		in := &fn.List[i]
		if m, ok := insn.MoveOf(fn.arch, in.Code, in.At); ok && m.Sum == fn.arch.SP && m.By < 0 {
			return -m.By
		}
	}
	return 0
}

// again reports whether control goes from an instruction to the function's start by way of one call: of morestack.
func (fn *goFunction) again(i int) bool {
	const near = 40 // instructions, for all registers
	calls := 0
	for _, in := range fn.List[i:min(i+near, len(fn.List))] {
		switch {
		case in.Calls:
			calls++
		case in.Ends:
			return calls == 1 && in.Direct && in.To == fn.List[0].At
		}
	}
	return false
}

// plain puts the value of a word of the frame in the place of the word, if that is stored once.
func (fn *goFunction) plain(f origin.Formula) origin.Formula {
	const deep = 4
	for n := 0; n < deep && f.Base == fn.arch.SP && len(f.Adds) > 1; n++ {
		i := slices.IndexFunc(fn.slots, func(s goSlot) bool { return s.off == f.Adds[0] })
		if i < 0 {
			break
		}
		f = follow(fn.slots[i].value, f.Adds[1:])
	}
	return f
}

// follow returns the formula that begins with another's value, adds the first number, and reads on.
func follow(f origin.Formula, adds []int64) origin.Formula {
	g := f.Plus(adds[0])
	g.Adds = append(g.Adds, adds[1:]...)
	return g
}

// rest returns the numbers of formula f that follow the value of g.
func rest(f, g *origin.Formula) ([]int64, bool) {
	n := len(g.Adds) - 1
	if f.Base != g.Base || len(f.Adds) <= n || !slices.Equal(f.Adds[:n], g.Adds[:n]) {
		return nil, false
	}
	return append([]int64{f.Adds[n] - g.Adds[n]}, f.Adds[n+1:]...), true
}

// takenAt returns the locks that the function has taken before the instruction with index i, and not given
// back since. Waits says that this instruction waits for one.
func (fn *goFunction) takenAt(i int, waits bool) []goTaken {
	key := goPlace{i, waits}
	list, ok := fn.held[key]
	if ok {
		return list
	}
	tries := fn.tries(i, waits)
	for k := range fn.calls {
		c := &fn.calls[k]
		if c.at == i && waits && c.lock != nil || !takesLock(c.does) ||
			slices.ContainsFunc(list, func(t goTaken) bool { return t.call.same(c) }) {
			continue
		}
		if t, ok := fn.taken(c, i, tries); ok {
			list = append(list, t)
		}
	}
	fn.held[key] = list
	return list
}

// tries returns the atomic instructions that have tried to take the lock before a function waits in the slow path.
func (fn *goFunction) tries(i int, waits bool) map[*goCall]bool {
	tries := map[*goCall]bool{}
	own := fn.at[i]
	if !waits || own == nil {
		return tries
	}
	fn.back(i, func(k int) bool {
		c := fn.at[k]
		if c != nil && c.fast && c.does == own.does && slices.Equal(c.path, own.path) {
			tries[c] = true
		}
		return c == nil
	})
	return tries
}

// taken follows the ways back from the instruction with index i to a call that takes a lock.
func (fn *goFunction) taken(call *goCall, i int, tries map[*goCall]bool) (t goTaken, ok bool) {
	t.call = call
	back := map[string]string{goLock: goUnlock, goRWLock: goRWUnlock, goRLock: goRUnlock}[call.does]
	entered := fn.back(i, func(k int) bool {
		c := fn.at[k]
		switch {
		case c == nil || tries[c]:
		case c.same(call):
			ok = true
			return false
		case c.does != back:
		case c.lock != nil && call.lock != nil && !c.lock.Equal(call.lock):
		case c.lock != nil && call.lock != nil:
			t.weak = true
			return false
		case call.lock == nil:
			return false // it may be this one, which is not known either
		default:
			t.weak = true // it is not known which lock is given back
		}
		return true
	})
	t.weak = t.weak || entered
	if ok && call.lock != nil && call.lock.Base == fn.arch.SP && len(call.lock.Adds) > 1 && fn.changed(call, i) {
		return t, false
	}
	return t, ok
}

// changed reports whether the word of the frame that held a lock's address may be stored to between a call
// and the instruction with index i.
func (fn *goFunction) changed(call *goCall, i int) bool {
	found := false
	fn.back(i, func(k int) bool {
		m, ok := fn.Store(fn.arch, k)
		found = found || ok && m.At.Disp == call.lock.Adds[0]
		return k != call.at
	})
	return found
}

// back visits the instructions on the ways back from the one with index i, each once, as long as visit
// returns true. It reports whether one of the ways leads to the function's start, or to a place that is
// reached in a way that is not known.
func (fn *goFunction) back(i int, visit func(int) bool) (entered bool) {
	seen := make([]bool, len(fn.List))
	todo := []int{i}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ways := fn.Before(k)
		entered = entered || len(ways) == 0
		for _, w := range ways {
			if !seen[w] {
				if seen[w] = true; visit(w) {
					todo = append(todo, w)
				}
			}
		}
	}
	return entered
}

// same reports whether two calls take the same lock in the same way: by its address, or as parts of one call
// in the source.
func (c *goCall) same(d *goCall) bool {
	switch {
	case c.does != d.does:
		return false
	case c.lock != nil && d.lock != nil:
		return c.lock.Equal(d.lock)
	}
	return slices.Equal(c.path, d.path)
}

// lockOf returns the address of the lock of a call in the frame with index i; own is what the goroutine waits
// for in the first one.
func (x *goSearch) lockOf(frames []goFrame, i int, c *goCall, own *TaskLink) (core.Addr, bool) {
	if c.lock == nil {
		return 0, false
	}
	if own != nil && i == 0 {
		fn := x.code.function(frames[0].pc)
		if w := fn.waiting(frames[0].ret); w != nil && w.lock != nil && w.does == own.Does {
			if adds, ok := rest(c.lock, w.lock); ok {
				return x.follow(own.At, adds)
			}
		}
	}
	return x.value(frames, i, c.lock, 0)
}

// waiting returns the call with a return address.
func (fn *goFunction) waiting(ret core.Addr) *goCall { return fn.at[fn.before(ret)] }

// before returns the index of the instruction that ends at an address, -1 if there is none.
func (fn *goFunction) before(ret core.Addr) int {
	i, ok := slices.BinarySearchFunc(fn.List, ret,
		func(in origin.Instruction, a core.Addr) int { return int(int64(in.Next() - a)) })
	if !ok {
		return -1
	}
	return i
}

// follow reads on from an address.
func (x *goSearch) follow(a core.Addr, adds []int64) (core.Addr, bool) {
	m := x.threads.Process.Cursor()
	a = a.Add(adds[0])
	for _, add := range adds[1:] {
		if a = m.Pointer(a).Add(add); m.Reset() != nil {
			return 0, false
		}
	}
	return a, true
}

// value returns the value of a formula in the frame with index i. The register that a function began with is
// looked for in the frame, and in the caller.
func (x *goSearch) value(frames []goFrame, i int, f *origin.Formula, deep int) (core.Addr, bool) {
	const maxDeep = 4
	switch frame := &frames[i]; {
	case f.Base < 0:
		return x.follow(0, f.Adds)
	case f.Base == x.threads.Process.Arch.SP:
		return x.follow(frame.sp, f.Adds)
	case deep == maxDeep:
		return 0, false
	}
	fn := x.code.function(frames[i].pc)
	for k := range fn.slots {
		s := &fn.slots[k]
		if adds, ok := rest(f, &s.value); ok {
			return x.follow(frames[i].sp, append([]int64{s.off}, adds...))
		}
	}
	if i+1 >= len(frames) || frames[i+1].sp != frames[i].cfa {
		return 0, false
	}
	caller := x.code.function(frames[i+1].pc)
	at := caller.before(frames[i+1].ret)
	if at < 0 {
		return 0, false
	}
	g, ok := caller.Formula(caller.arch, at, f.Base)
	if !ok {
		return 0, false
	}
	g = follow(g, f.Adds)
	return x.value(frames, i+1, &g, deep+1)
}
