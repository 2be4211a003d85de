package wait

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/origin"
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
		frames := x.framesOf(st)
		for i := range frames {
			x.takenIn(t, frames, i, wanted, waits[t])
			x.endsIn(t, &frames[i], wanted, waits[t])
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

// takenIn adds task t as a holder of the locks that the frame with index i has taken. own is the task's own
// wait, or nil.
func (x *goSearch) takenIn(t *core.Thread, frames []goFrame, i int, wanted map[core.Addr][]*heldTasks, own *TaskLink) {
	f := &frames[i]
	fn := x.code.function(f.pc)
	at := fn.before(f.ret)
	if at < 0 { // it runs
		at, _ = slices.BinarySearchFunc(fn.List, f.pc,
			func(in origin.Instruction, a core.Addr) int { return int(int64(in.At - a)) })
	}
	if at >= len(fn.List) {
		return
	}
	for _, taken := range fn.takenAt(at, own != nil && f.frame == own.Frame) {
		c := taken.call
		if len(c.path) == 0 {
			continue
		}
		h := TaskHolder{Thread: t, Frame: f.frame, Line: c.path[len(c.path)-1], weak: taken.weak}
		if a, ok := x.lockOf(frames, i, c, own); ok {
			x.ends(c.does, h, wanted[a])
			continue
		}
		// It may be any lock that the frame leads to, but it does not show that the task holds what it waits for.
		h.weak = true
		for _, a := range x.matches(f, c, wanted) {
			if own == nil || a != own.At {
				x.ends(c.does, h, wanted[a])
			}
		}
	}
}

// endsIn adds task t as one that will end a wait in one of its frames.
func (x *goSearch) endsIn(t *core.Thread, f *goFrame, wanted map[core.Addr][]*heldTasks, own *TaskLink) {
	fn := x.code.function(f.pc)
	at := fn.before(f.ret)
	for i, c := range append(slices.Clone(fn.calls), x.deferred(f)...) {
		if locks(c.does) || own != nil && f.frame == own.Frame && c.at == at && i < len(fn.calls) {
			continue // the call that waits
		}
		for _, a := range x.matches(f, &c, wanted) {
			x.ends(c.does, TaskHolder{Thread: t, Frame: f.frame}, wanted[a])
		}
	}
}

// ends adds a holder to the tasks that can end waits, as far as it can by what it does.
func (x *goSearch) ends(does string, h TaskHolder, groups []*heldTasks) {
	for _, held := range groups {
		if releases(does, held.waiting[0]) {
			held.add(h)
		}
	}
}

// deferred returns what a function has deferred that ends waits, as its frame has the functions that are
// called for it: their address, or a closure that begins with it. Locks are not taken so.
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
				list = append(list, slices.Clone(x.code.function(a).calls)...)
			}
		}
	}
	return list
}

// locks reports whether a call takes a lock, or gives one back.
func locks(does string) bool {
	return takesLock(does) || does == goUnlock || does == goRWUnlock || does == goRUnlock
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
