package wait

import (
	"slices"
	"strings"

	"coredbg/core"
)

// findHolders finds the holders for each wait, among all tasks.
func (x *goSearch) findHolders(waits map[*core.Thread]*TaskLink, all []*core.Thread) {
	wanted := map[core.Addr][]*heldTasks{}
	for _, t := range all {
		if w := waits[t]; w != nil && w.held == nil {
			wanted[w.At] = w.join(wanted[w.At])
		}
	}
	if len(wanted) == 0 {
		return
	}
	for i, t := range all {
		if i >= 4*maxGoWaiters || x.tries > maxGoTries || x.ctx.Err() != nil {
			return
		}
		st := x.top(t)
		if st == nil {
			continue
		}
		for _, f := range x.framesOf(st) {
			for _, c := range append(slices.Clone(x.code.calls(f.pc)), x.deferred(&f)...) {
				x.found(t, &f, &c, wanted, waits[t])
			}
		}
	}
	for _, at := range wanted {
		for _, held := range at {
			held.writers(at)
			held.strong()
		}
	}
}

// join lets a task wait with the tasks that wait for the same object in the same way, one of the given
// groups.
func (w *TaskLink) join(groups []*heldTasks) []*heldTasks {
	for _, g := range groups {
		if g.waiting[0].Does == w.Does {
			w.held, g.waiting = g, append(g.waiting, w)
			return groups
		}
	}
	w.held = &heldTasks{at: map[*core.Thread]int{}, waiting: []*TaskLink{w}}
	return append(groups, w.held)
}

// writers adds the waiting writers of a read-write lock as holders for its readers: a waiting writer comes first.
func (x *heldTasks) writers(groups []*heldTasks) {
	if x.waiting[0].Does != goRLock {
		return
	}
	for _, g := range groups {
		if g.waiting[0].Does != goRWLock {
			continue
		}
		for _, w := range g.waiting {
			x.add(TaskHolder{Thread: w.Thread, Frame: w.Frame})
		}
	}
}

// strong leaves out weak holders if there are others.
func (x *heldTasks) strong() {
	if !slices.ContainsFunc(x.list, func(h TaskHolder) bool { return !h.weak }) {
		return
	}
	x.list = slices.DeleteFunc(x.list, func(h TaskHolder) bool { return h.weak })
	clear(x.at)
	for i, h := range x.list {
		x.at[h.Thread] = i
	}
}

// add adds a holder, once.
func (x *heldTasks) add(h TaskHolder) {
	i, known := x.at[h.Thread]
	switch {
	case !known:
		x.at[h.Thread] = len(x.list)
		x.list = append(x.list, h)
	case x.list[i].weak && !h.weak:
		x.list[i] = h
	}
}

// found adds task t as a holder where a call in one of its frames fits a wait. own is the task's own wait, or nil.
func (x *goSearch) found(t *core.Thread, f *goFrame, c *goCall, wanted map[core.Addr][]*heldTasks, own *TaskLink) {
	if own != nil && c.ret == f.ret && f.frame == own.Frame {
		return // the call that waits
	}
	h := TaskHolder{Thread: t, Frame: f.frame}
	takes := takesLock(c.does)
	if takes {
		path := x.code.path(f.pc)
		if !c.before(path, f.pc) {
			return
		}
		h.Line, h.weak = c.path[len(c.path)-1], x.givenBack(f, c, path)
	}
	at := x.matches(f, c, wanted)
	if here := own != nil && f.frame == own.Frame; here && takes && len(at) > 0 && slices.Contains(at, own.At) && (len(at) > 1 || x.others(f, c, own.At)) {
		at = slices.DeleteFunc(at, func(a core.Addr) bool { return a == own.At }) // it waits for one of two
	}
	for _, a := range at {
		for _, held := range wanted[a] {
			if releases(c.does, held.waiting[0]) {
				held.add(h)
			}
		}
	}
}

// deferred returns what a function has deferred that ends waits, as its frame has the functions that are called for it: their
// address, or a closure that begins with it. Locks are not taken so.
func (x *goSearch) deferred(f *goFrame) (list []goCall) {
	own, _, ok := x.threads.Symbols.Cover(f.pc)
	if !ok {
		return nil
	}
	m := x.threads.Process.Cursor()
	seen := map[core.Addr]bool{}
	for _, w := range x.wordsOf(f) {
		to := m.Pointer(w)
		if m.Reset() != nil {
			continue
		}
		for _, a := range []core.Addr{w, to} {
			if seen[a] || !x.threads.Process.Executable(a) {
				continue
			}
			seen[a] = true
			s, off, ok := x.threads.Symbols.Cover(a)
			switch {
			case !ok || off != 0:
			case goDoes(s.Name) == goDone:
				list = append(list, goCall{does: goDone, disps: []core.Addr{0}})
			case strings.HasPrefix(s.Name, own.Name+"."):
				list = append(list, slices.DeleteFunc(slices.Clone(x.code.calls(a)), func(c goCall) bool { return takesLock(c.does) })...)
			}
		}
	}
	return list
}

// takesLock reports whether a call takes a lock.
func takesLock(does string) bool { return does == goLock || does == goRWLock || does == goRLock }

// releases reports whether who has done something, or will, can end a wait.
func releases(does string, w *TaskLink) bool {
	switch w.Does {
	case goLock:
		return does == goLock
	case goRLock:
		return does == goRWLock
	case goRWLock:
		return does == goRWLock || does == goRLock
	case goWait:
		return does == goDone
	case goSend:
		return does == goReceive || does == goSelect
	case goReceive:
		return does == goSend || does == goSelect || does == goClose
	}
	return false
}

// givenBack reports whether a function gives a lock back between the call that has taken it and the place where it is: on
// that way, or on another one.
func (x *goSearch) givenBack(f *goFrame, c *goCall, path []int) bool {
	back := map[string]string{goLock: goUnlock, goRWLock: goRWUnlock, goRLock: goRUnlock}[c.does]
	for _, u := range x.code.calls(f.pc) {
		if u.does == back && c.before(u.path, u.ret) && u.before(path, f.pc) {
			return true
		}
	}
	return false
}

// matches returns which of the wanted objects the operand of a call may be.
func (x *goSearch) matches(f *goFrame, c *goCall, wanted map[core.Addr][]*heldTasks) (at []core.Addr) {
	try := func(a core.Addr) {
		if x.tries++; wanted[a] != nil && !slices.Contains(at, a) {
			at = append(at, a)
		}
	}
	m := x.threads.Process.Cursor()
	for _, d := range c.direct {
		for _, off := range c.disps {
			try(d + off)
			if v := m.Pointer(d + off); m.Reset() == nil { // of a variable that holds it
				try(v)
			}
		}
	}
	words := x.wordsOf(f)
	for _, w := range words {
		for _, off := range c.disps {
			try(w + off)
		}
	}
	if len(at) > 0 && takesLock(c.does) {
		return at
	}
	for _, v := range x.fartherOf(f) {
		for _, off := range c.disps {
			try(v + off)
		}
	}
	return at
}

// fartherOf returns the words of the objects that a frame points to, each once.
func (x *goSearch) fartherOf(f *goFrame) []core.Addr {
	if list, ok := x.farther[f.sp]; ok {
		return list
	}
	m, size := x.threads.Process.Cursor(), core.Addr(x.threads.Process.Arch.PtrSize)
	seen := map[core.Addr]bool{}
	var list []core.Addr
	for _, w := range x.wordsOf(f) {
		for i := range core.Addr(goFarther) {
			v := m.Pointer(w + i*size)
			if m.Reset() != nil {
				break
			}
			if v > 1<<12 && !seen[v] {
				seen[v] = true
				list = append(list, v)
			}
		}
	}
	x.farther[f.sp] = list
	return list
}

// others reports whether the operand of a call may be another lock than the one at but, by its looks: the word of
// a locked mutex is odd.
func (x *goSearch) others(f *goFrame, c *goCall, but core.Addr) bool {
	const locked, waiters = 1, 1 << 16
	m := x.threads.Process.Cursor()
	for _, w := range x.wordsOf(f) {
		for _, off := range c.disps {
			if off == 0 && len(c.disps) > 1 || w+off == but {
				continue
			}
			state := m.U32(w + off)
			if m.Reset() == nil && state&locked != 0 && state < waiters && w&(core.Addr(x.threads.Process.Arch.PtrSize)-1) == 0 {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a frame that may be addresses, each once.
func (x *goSearch) wordsOf(f *goFrame) []core.Addr {
	if list, ok := x.words[f.sp]; ok {
		return list
	}
	var list []core.Addr
	m := x.threads.Process.Cursor()
	size := core.Addr(x.threads.Process.Arch.PtrSize)
	for at := f.sp; at < f.cfa+goSpill*size && at < f.sp+maxGoWords*size; at += size {
		w := m.Pointer(at)
		if m.Reset() != nil {
			break
		}
		if w > 1<<12 && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	x.words[f.sp] = list
	return list
}
