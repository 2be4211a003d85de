package report

import (
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/file"
)

// A Strip is the address space: what is mapped, in order, each part as wide as it is
// large on a scale that leaves the small ones to be seen.
type Strip struct {
	Parts []Part
	Wide  float64
}

// A Part is neighbouring mappings of one kind.
type Part struct {
	Kind, Title string
	X, Wide     float64
}

const stripWide = 1000

// strip draws the mappings of a process; nil if there are none.
func strip(p *core.Process) *Strip {
	type part struct {
		kind       string
		start, end core.Addr
		size       uint64
		n          int
	}
	var parts []part
	for _, m := range p.Mappings {
		kind := kindOf(m)
		size := uint64(m.End - m.Start)
		if n := len(parts); n > 0 && parts[n-1].kind == kind {
			parts[n-1].end, parts[n-1].size, parts[n-1].n = m.End, parts[n-1].size+size, parts[n-1].n+1
			continue
		}
		parts = append(parts, part{kind, m.Start, m.End, size, 1})
	}
	const most = 400
	if len(parts) == 0 || len(parts) > most {
		return nil
	}
	total := 0.0
	for _, x := range parts {
		total += weight(x.size)
	}
	s, at := &Strip{Wide: stripWide}, 0.0
	for _, x := range parts {
		wide := weight(x.size) / total * stripWide
		s.Parts = append(s.Parts, Part{Kind: x.kind, X: at, Wide: wide,
			Title: x.kind + ": " + out.Count(x.n, "mapping") + ", " + x.start.String() + " to " + x.end.String() +
				", " + file.Size(int64(x.size))})
		at += wide
	}
	return s
}

// weight is the logarithm of a size to base 2, so that a page and a heap are both seen.
func weight(size uint64) float64 {
	n := 1.0
	for ; size > 1; size >>= 1 {
		n++
	}
	return n
}

func kindOf(m core.Mapping) string {
	switch {
	case m.Prot&core.Exec != 0 && m.Path == "":
		return "made code"
	case m.Prot&core.Exec != 0:
		return "code"
	case m.Path != "":
		return "file"
	}
	return "memory"
}
