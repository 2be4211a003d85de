package typed

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// fill notes where the values in a container's buffer end, if the buffer is a block. The buffer must fill its
// block, except for the bytes that the allocator rounds up by: a container that is gone seldom agrees with the
// block that is there now. If two containers have the same buffer, the one with more values counts. If the
// block has a class already, such as its first object's, the values of the container are followed, too.
func (m *maker) fill(start, end, limit core.Addr, s *shape) {
	id := m.Index.Find(start, &m.last)
	if m.c.Reset() != nil || limit < end || id < 0 {
		return
	}
	p := m.Index.Chunk(id)
	room, size := uint64(limit-start), p.Size()
	if p.At != start || room > size || p.Own() {
		return
	}
	slack, most := size-room, max(4*uint64(m.w), room/16)
	if m.Index.Rounded(id) {
		most = max(most, room)
	}
	if slack >= most {
		return
	}
	old, met := m.filled[id]
	m.filled[id] = max(old, end)
	if !met && m.kind[id] != 0 && m.kind[id] != s.number && s.size > 0 && len(s.fields) > 0 {
		m.work = append(m.work, work{start, s, uint64(end-start) / s.size, true})
	}
}

// maxLed is how many shapes are looked at to find out whether one leads to a container.
const maxLed = 1 << 12

// leads reports whether a shape may lead to a container that can have unused capacity.
func (x *shapes) leads(s *shape) bool {
	if led, ok := x.led[s]; ok {
		return led
	}
	from := map[*shape]*shape{s: nil}
	for todo := []*shape{s}; len(todo) > 0 && len(from) <= maxLed; todo = todo[1:] {
		at := todo[0]
		if x.led[at] || slices.ContainsFunc(at.fields, func(f field) bool { return f.until > 0 }) {
			for ; at != nil; at = from[at] {
				x.led[at] = true
			}
			return true
		}
		for i := range at.fields {
			to := at.fields[i].to
			if to == nil {
				to = x.of(at.fields[i].elem)
			}
			_, met := from[to]
			if led, ok := x.led[to]; to != nil && !met && (led || !ok) {
				from[to] = at
				todo = append(todo, to)
			}
		}
	}
	if len(from) > maxLed {
		return true
	}
	for at := range from {
		x.led[at] = false
	}
	return false
}

// Unused returns the unused capacity of containers' buffers, in order of address.
func (b *Blocks) Unused() (out []block.Span) {
	for id, end := range b.filled {
		if p := b.Index.Chunk(id); end < p.End() {
			out = append(out, block.Span{Start: end, End: p.End()})
		}
	}
	slices.SortFunc(out, func(x, y block.Span) int { return cmp.Compare(x.Start, y.Start) })
	return out
}
