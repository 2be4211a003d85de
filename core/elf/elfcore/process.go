package elfcore

import (
	"sort"

	"coredbg/core"
)

// The entries of the auxiliary vector that lead to images.
const (
	atPHDR        = 3
	atPHENT       = 4
	atPHNUM       = 5
	atPageSize    = 6
	atBase        = 7
	atEntry       = 9
	atRandom      = 25
	atExecfn      = 31
	atSysinfoEHDR = 33
)

// auxAddr returns an entry of the auxiliary vector, 0 if there is none.
func auxAddr(p *core.Process, typ uint64) core.Addr {
	v, _ := p.AuxValue(typ)
	return core.Addr(v)
}

// pageSize returns the size in bytes of the pages that the kernel maps files in; 4096 if the core does not say.
func pageSize(p *core.Process) core.Addr {
	if n := auxAddr(p, atPageSize); n >= 4096 && n <= maxPage && n&(n-1) == 0 {
		return n
	}
	return 4096
}

// mappingAt returns the index of the mapping that holds a, or -1 if there is no such mapping.
func mappingAt(p *core.Process, a core.Addr) int {
	ms := p.Mappings
	i := sort.Search(len(ms), func(i int) bool { return ms[i].End > a })
	if i < len(ms) && ms[i].Start <= a {
		return i
	}
	return -1
}
