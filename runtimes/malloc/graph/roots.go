package graph

import (
	"context"
	"fmt"
	"sort"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/core/tls"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/managed"
)

// Roots implements heap.Source.
func (s *source) Roots(ctx context.Context, _ func(core.Addr) bool, visit func(heap.Root)) error {
	scan := s.b.Scanner.Clone()
	var later []heap.Root
	s.objects(visit)
	scan.Memory(func(from, to core.Addr) {
		w := s.where(from)
		scan.Range(from, to, func(id int, at core.Addr) {
			r := s.root(&w, at)
			r.Target = s.b.Index.Chunk(id).At
			if r.Strength == heap.Certain {
				visit(r)
			} else if len(later) < maxLater {
				later = append(later, r)
			}
		})
	})
	scan.Registers(func(id int, t *core.Thread) {
		later = append(later, heap.Root{Kind: "register", Thread: t, Strength: heap.Stacked, Rank: heap.Calling,
			Target: s.b.Index.Chunk(id).At})
	})
	for i := range later {
		visit(later[i])
	}
	return ctx.Err()
}

// objects visits the pointers of managed objects: their memory lives as long as the objects do, and a
// collector alone frees it.
func (s *source) objects(visit func(heap.Root)) {
	if s.managed == nil {
		return
	}
	s.managed.All(func(m *managed.Pointer) {
		if id, p := s.find(m.At); id >= 0 {
			visit(heap.Root{Kind: "object of " + m.Runtime.Name(), Object: m.Runtime.Name(),
				Name: "its " + m.Name, Place: m.Object, Target: p.At})
		}
	})
}

const (
	maxLater = 1 << 24
	tlsReach = 4096 // bytes on both sides of a thread pointer that are the thread's variables, where no stack is
	redZone  = 128
)

// A where is a range of memory: data of a module, the stack of a thread, or neither.
type where struct {
	module bool
	stack  *core.Thread
	end    core.Addr      // of the stack
	tls    []*core.Thread // whose variables are in the mapping
}

func (s *source) where(a core.Addr) (w where) {
	p := s.h.Process
	if w.module = p.Module(a) != nil; w.module {
		return w
	}
	m, ok := p.Mapping(a)
	if !ok || p.Arch == nil {
		return w
	}
	best := core.Addr(0)
	for _, t := range p.Threads {
		v, ok := t.Regs.Get(p.Arch.SP)
		sp := core.Addr(v)
		if ok && sp >= m.Start && sp < m.End && a+redZone >= sp && sp >= best {
			best, w.stack, w.end = sp, t, p.StackEnd(sp, m.End)
		}
		if t.TLS >= m.Start && t.TLS < m.End {
			w.tls = append(w.tls, t)
		}
	}
	return w
}

// root describes a word as a root.
func (s *source) root(w *where, at core.Addr) heap.Root {
	r := heap.Root{Place: at, Rank: heap.Lasting}
	if w.module {
		if r.Kind, r.Name = "global", s.globalName(at); s.h.Internal != nil && s.h.Internal(r.Name) {
			r.Rank = heap.Engine
		}
		return r
	}
	if k := s.stackAt(at); k != nil {
		r.Kind, r.Strength, r.Rank, r.Thread = "stack", heap.Stacked, heap.Calling, k.Thread
		return r
	}
	if w.stack != nil && at < w.end && !s.inTLS(w.stack, at) {
		r.Kind, r.Strength, r.Rank, r.Thread = "stack", heap.Stacked, heap.Calling, w.stack
		if u, member := s.b.Variable(at); u != nil {
			r.Name = u.Name + dotted(member)
		}
		return r
	}
	threads := w.tls
	if w.stack != nil {
		threads = append([]*core.Thread{w.stack}, threads...)
	}
	for _, t := range threads {
		if at+tlsReach >= t.TLS && at < t.TLS+tlsReach && s.inTLS(t, at) {
			r.Kind, r.Thread = "thread-local variable", t
			if u, member := s.b.Variable(at); u != nil {
				r.Name = u.Name + dotted(member)
			}
			return r
		}
	}
	r.Kind, r.Strength = "word of mapped memory", heap.Stacked
	i := sort.Search(len(s.owned), func(i int) bool { return s.owned[i].End > at })
	if i < len(s.owned) && at >= s.owned[i].Start {
		r.Heap = s.owned[i].runtime
		r.Kind = "word of the heap of " + r.Heap
	}
	return r
}

// stackAt returns the stack at an address, in a runtime's heap; nil if there is none.
func (s *source) stackAt(a core.Addr) *runtimes.SlotStack {
	i := sort.Search(len(s.h.Stacks), func(i int) bool { return s.h.Stacks[i].End > a })
	if i == len(s.h.Stacks) || a < s.h.Stacks[i].Start {
		return nil
	}
	return &s.h.Stacks[i]
}

// inTLS reports whether an address is in the thread-local block of a module of a thread, as far as these are known.
func (s *source) inTLS(t *core.Thread, at core.Addr) bool {
	low, ok := s.tls[t]
	if !ok {
		low = t.TLS
		for _, m := range s.h.Process.Modules {
			if a, err := tls.Address(s.h.Process, t, m, 0); err == nil && a+tlsReach >= t.TLS && a < low {
				low = a
			}
		}
		if s.tls == nil {
			s.tls = map[*core.Thread]core.Addr{}
		}
		s.tls[t] = low
	}
	return low != 0 && at >= low
}

// globalName returns the name of a variable of a module: "sessions (server.cc:12)".
func (s *source) globalName(at core.Addr) string {
	if u, member := s.b.Variable(at); u != nil {
		name := u.Name + dotted(member)
		if u.Source != "" && u.Line > 0 {
			name += fmt.Sprintf(" (%s:%d)", u.Source, u.Line)
		}
		return name
	}
	if s.h.Symbols == nil {
		return ""
	}
	y, off, ok := s.h.Symbols.Lookup(at)
	if !ok {
		if m := s.h.Process.Module(at); m != nil {
			return "in " + m.Name()
		}
		return ""
	}
	name := sym.Demangle(y.Name, true)
	if off != 0 {
		name += fmt.Sprintf("+%#x", off)
	}
	return name
}

func dotted(member string) string {
	if member == "" || member[0] == '[' {
		return member
	}
	return "." + member
}
