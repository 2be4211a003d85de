package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// threadTime is how long a thread ran, as ::threads -t shows it. Times are in seconds.
type threadTime struct {
	_      out.Record `record:"threadtime"`
	TID    int        `json:"tid" dot:"always" col:"TID,10,right"`
	Name   string     `json:"name,omitempty" col:"NAME,16"`
	user   string     `col:"USER,10,right"`
	system string     `col:"SYSTEM,10,right"`
	share  string     `col:"OF ALL,7,right"`
	User   float64    `json:"user"`
	System float64    `json:"system"`
	Most   bool       `json:"at_most,omitempty"` // threads that have ended may have used some of it
	Where  string     `json:"where,omitempty" col:"PC"`
}

// timeless says why a core has no times of threads.
func timeless(p *core.Process) string {
	switch {
	case !strings.HasSuffix(p.Format, "ELF core"):
		return "a " + p.Format + " has no such times"
	case p.OS != "linux":
		return "only Linux writes that"
	case p.ByDebugger:
		return "a debugger wrote it, without their times"
	}
	return "all times in it are 0, as of threads that ran for less than a tick of the kernel (1 to 10 ms)"
}

// runThreadTimes is ::threads -t: the threads by how long each ran, the longest first.
func runThreadTimes(ctx context.Context, c *commands.Call) error {
	var list []*core.Thread
	var all time.Duration
	for _, t := range c.Session.Process.Threads {
		if t.CPU != nil {
			list = append(list, t)
			all += t.CPU.Total()
		}
	}
	if len(list) == 0 {
		return core.Unknown(errors.New("the core does not say how long its threads ran: " +
			timeless(c.Session.Process)))
	}
	slices.SortStableFunc(list, func(a, b *core.Thread) int { return cmp.Compare(b.CPU.Total(), a.CPU.Total()) })
	for _, t := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		summary := newThreadSummary(c.Session, t, 0)
		r := &threadTime{TID: t.TID, Name: summary.Name, Where: summary.Where, User: t.CPU.User.Seconds(),
			System: t.CPU.System.Seconds(), Most: t.CPU.Most}
		mark := ""
		if r.Most {
			mark = "<"
		}
		r.user, r.system = fmt.Sprintf("%s%.3f", mark, r.User), fmt.Sprintf("%s%.3f", mark, r.System)
		r.share = fmt.Sprintf("%.0f%%", 100*t.CPU.Total().Seconds()/max(all.Seconds(), 1e-9))
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}
