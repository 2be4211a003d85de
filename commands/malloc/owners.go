package malloc

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
)

// The owner of memory outside all heaps.
const reserved = "reserved"

const (
	redZone = 128
	// at most: the C library's record of a thread (struct pthread), and the stack's remaining bytes behind it
	tcbSize = 4096
)

// stacks adds the stacks of threads. Stacks that the kernel shows as one mapping are told apart by the
// threads' own records at their ends. The part of a stack below the stack pointer is free.
func (x *account) stacks() {
	if x.p.Arch == nil {
		return
	}
	row := x.row("stacks")
	seen := map[core.Addr]bool{}
	for _, t := range x.p.Threads {
		v, ok := t.Regs.Get(x.p.Arch.SP)
		sp := core.Addr(v)
		m, mapped := x.p.Mapping(sp)
		if !ok || !mapped || m.Prot&core.Write == 0 {
			continue
		}
		own := m.Path == "[stack]" || m.Path == "" && t.TLS > sp && t.TLS < m.End
		if !own || !seen[m.Start] && slices.ContainsFunc(x.of,
			func(o owned) bool { return o.start < m.End && o.end > m.Start }) {
			continue // it is on a heap
		}
		if !seen[m.Start] {
			seen[m.Start] = true
			x.of = append(x.of, owned{m.Start, m.End, "stacks"})
			row.Free += uint64(m.End - m.Start)
		}
		end := m.End
		if m.Path == "" {
			end = min(end, t.TLS+tcbSize)
		}
		used := min(uint64(end-max(sp-redZone, m.Start)), row.Free)
		row.Used += used
		row.Free -= used
	}
}

// mappings counts all memory, by owner and by kind.
func (x *account) mappings() {
	last := ""
	for _, m := range x.p.Mappings {
		at, kind := m.Start, x.kind(m)
		i, _ := slices.BinarySearchFunc(x.of, at, func(o owned, a core.Addr) int { return cmp.Compare(o.end, a+1) })
		for ; i < len(x.of) && x.of[i].start < m.End; i++ {
			o := &x.of[i]
			if o.end <= at {
				continue
			}
			if o.start > at {
				last = x.count(kind, at, o.start, last)
				at = o.start
			}
			end := min(o.end, m.End)
			last = x.count(o.owner, at, end, last)
			at = end
		}
		if at < m.End {
			last = x.count(kind, at, m.End, last)
		}
	}
}

// count adds a stretch to an owner's row.
func (x *account) count(owner string, start, end core.Addr, last string) string {
	r := x.row(owner)
	r.Size += uint64(end - start)
	have, touched := x.inCore(start, end)
	r.InCore += have
	r.Touched += touched
	if owner != last {
		r.Pieces++
	}
	return owner
}

// inCore returns how many bytes of a stretch the core has, and how many of these are no hole of the file.
func (x *account) inCore(start, end core.Addr) (have, touched uint64) {
	segs := x.p.Space.Segments()
	i, _ := slices.BinarySearchFunc(segs, start,
		func(g core.Segment, a core.Addr) int { return cmp.Compare(g.End, a+1) })
	for ; i < len(segs) && segs[i].Start < end; i++ {
		g := &segs[i]
		if g.Kind != core.SegCore {
			continue
		}
		from, to := max(g.Start, start), min(g.End, end)
		have += uint64(to - from)
		touched += x.data(g, from, to)
	}
	return have, touched
}

// data returns how many bytes of a segment's part are no hole.
func (x *account) data(g *core.Segment, from, to core.Addr) (n uint64) {
	for from < to && x.runs < maxRuns {
		x.runs++
		off := g.Off + int64(from-g.Start)
		start, end := core.SourceData(g.Src, off)
		if start >= g.Off+int64(to-g.Start) || end <= start {
			return n
		}
		last := min(end, g.Off+int64(to-g.Start))
		n += uint64(last - max(start, off))
		from = g.Start + core.Addr(last-g.Off)
	}
	return n + uint64(to-from)
}

// maxRuns is how many pieces of data between holes are looked at.
const maxRuns = 1 << 18

// kind says what a mapping counts for that is no heap's.
func (x *account) kind(m core.Mapping) string {
	switch file := strings.HasPrefix(m.Path, "/"); {
	case strings.HasPrefix(m.Path, "[v"):
		return "kernel"
	case m.Path == "[stack]":
		return "stacks"
	case m.Prot == 0:
		return reserved
	case strings.HasPrefix(m.Path, "/dev/shm/"), strings.HasPrefix(m.Path, "/memfd:"),
		strings.HasPrefix(m.Path, "/SYSV"), strings.HasPrefix(m.Path, "/dev/zero"):
		return "shared"
	case file && m.Prot&core.Exec != 0:
		return "code of files"
	case x.p.Module(m.Start) != nil && m.Prot&core.Write != 0:
		return "data of files"
	case file:
		return "files"
	case m.Prot&core.Exec != 0:
		return "made code"
	}
	return "anonymous"
}
