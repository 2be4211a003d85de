package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"coredbg/commands/out"
	"coredbg/core"
)

// Bars are the threads that ran for the longest, the longest first.
type Bars struct {
	Rows []Bar
	Wide float64 // of the longest one and of the drawing
}

// A Bar is how long one thread ran, in and outside of the kernel.
type Bar struct {
	Label, Time  string
	User, System float64 // widths of its parts
}

// maxBars is how many threads have a bar.
const maxBars = 20

// barWide is how wide a drawing is.
const barWide = 1000

// bars draws how long threads ran, by the names that they are given; nil if the core does not say
// of any that it ran at all.
func bars(p *core.Process, name func(*core.Thread) string) *Bars {
	var list []*core.Thread
	for _, t := range p.Threads {
		if t.CPU != nil && t.CPU.Total() > 0 {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *core.Thread) int { return cmp.Compare(b.CPU.Total(), a.CPU.Total()) })
	b, longest := &Bars{Wide: barWide}, list[0].CPU.Total().Seconds()
	wide := func(d time.Duration) float64 { return d.Seconds() / longest * barWide }
	for _, t := range list[:min(len(list), maxBars)] {
		label := fmt.Sprint(t.TID)
		if n := name(t); n != "" {
			label += " " + out.Clean(n, false)
		}
		said := fmt.Sprintf("%.3f s", t.CPU.Total().Seconds())
		if t.CPU.Most {
			said = "at most " + said
		}
		b.Rows = append(b.Rows, Bar{Label: label, Time: said, User: wide(t.CPU.User), System: wide(t.CPU.System)})
	}
	return b
}
