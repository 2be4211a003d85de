package glibc

import "coredbg/core"

// mp_ has its parameters, which begin with trim_threshold, top_pad, mmap_threshold, arena_test and arena_max;
// since 2.35 thp_pagesize, hp_pagesize and hp_flags follow, since 2.43 with thp_mode before them. Then come
// four ints, n_mmaps, n_mmaps_max, max_n_mmaps and no_dyn_threshold, and mmapped_mem, max_mmapped_mem and
// sbrk_base, before 2.24 with max_total_mem before that.
type params struct {
	known    bool
	base     core.Addr // sbrk_base
	mmaps    int       // n_mmaps
	mmapped  uint64    // mmapped_mem
	maxMmaps int       // max_n_mmaps
}

const (
	mostMmaps    = 1 << 16 // n_mmaps_max, unless mallopt has set it
	maxThreshold = 1 << 40
	maxTests     = 1 << 16
)

// findParams looks for mp_ in the data that main_arena is in.
func (l *layout) findParams(p *core.Process, g core.Mapping, heap core.Addr) params {
	data, _ := core.ReadBytes(p.Space, g.Start, min(uint64(g.End-g.Start), maxDataSize))
	w := int(l.w)
	var ahead []int // bytes before n_mmaps
	for _, extra := range []int{0, 2*w + 4, 3*w + 4} {
		ahead = append(ahead, 5*w+extra)
	}
	for i := 4; i+8*w <= len(data); i += 4 {
		if l.order.Uint32(data[i:]) != mostMmaps {
			continue
		}
		for _, n := range ahead {
			if at := i - 4 - n; at >= 0 && at%w == 0 && l.begins(data, at) {
				if x, ok := l.counts(p, data, i-4, heap); ok {
					return x
				}
			}
		}
	}
	return params{}
}

// begins reports whether what a malloc_par begins with is there.
func (l *layout) begins(data []byte, at int) bool {
	w := int(l.w)
	trim, pad, threshold, test, most := l.word(data, at), l.word(data, at+w), l.word(data, at+2*w),
		l.word(data, at+3*w), l.word(data, at+4*w)
	return trim > 0 && pad < maxThreshold && threshold >= 1 && threshold < maxThreshold && test > 0 &&
		test < maxTests && most < maxTests
}

// counts reads what comes from n_mmaps on.
func (l *layout) counts(p *core.Process, data []byte, at int, heap core.Addr) (params, bool) {
	w := int(l.w)
	n, most := int(l.order.Uint32(data[at:])), int(l.order.Uint32(data[at+8:]))
	mem := (at + 16 + w - 1) / w * w
	now, max := l.word(data, mem), l.word(data, mem+w)
	x := params{known: true, mmaps: n, mmapped: uint64(now), maxMmaps: most}
	if n > most || most > mostMmaps || now > max || (n == 0) != (now == 0) || now%pageSize != 0 {
		return x, false
	}
	for i := 2; i <= 3; i++ {
		base := l.word(data, mem+i*w)
		m, ok := p.Mapping(base)
		if base == 0 && heap == 0 || ok && base != 0 && m.Prot&core.Write != 0 && m.Path == "[heap]" ||
			ok && heap >= m.Start && heap < m.End && base >= m.Start && base <= heap {
			x.base = base
			return x, true
		}
	}
	return x, false
}
