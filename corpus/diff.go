package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// A Change is what differs between a case and what is found now.
type Change struct {
	In  string `json:"in"`            // verdict, threads, missing, or a thread and what of it
	Was string `json:"was,omitempty"` // absent if it is new
	Is  string `json:"is,omitempty"`  // absent if it is gone
}

// Diff returns what differs, in the order of the case.
func (c *Case) Diff(now *Case) []Change {
	var all []Change
	differ := func(in, was, is string) {
		if was != is {
			all = append(all, Change{in, was, is})
		}
	}
	v, w := c.Verdict, now.Verdict
	differ("verdict", fmt.Sprintf("%s, %s: %s", v.Cause, v.Confidence, v.Title), fmt.Sprintf("%s, %s: %s", w.Cause, w.Confidence, w.Title))
	differ("signature", v.Signature, w.Signature)
	all = append(all, lines("missing", c.Missing, now.Missing)...)
	for i := range c.Threads {
		t := &c.Threads[i]
		at := slices.IndexFunc(now.Threads, func(x Thread) bool { return x.TID == t.TID })
		if at < 0 {
			all = append(all, Change{In: "threads", Was: t.title()})
			continue
		}
		x := &now.Threads[at]
		differ("thread", t.title(), x.title())
		all = append(all, lines(fmt.Sprintf("thread %d", t.TID), t.Frames, x.Frames)...)
		differ(fmt.Sprintf("thread %d, further frames", t.TID), number(t.More), number(x.More))
		differ(fmt.Sprintf("thread %d, end", t.TID), t.Stop, x.Stop)
	}
	for i := range now.Threads {
		x := &now.Threads[i]
		if !slices.ContainsFunc(c.Threads, func(t Thread) bool { return x.TID == t.TID }) {
			all = append(all, Change{In: "threads", Is: x.title()})
		}
	}
	differ("further threads", number(c.More), number(now.More))
	return all
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// title is a thread in a line.
func (t *Thread) title() string {
	return strings.Join(strings.Fields(fmt.Sprintf("%d %s %s %s", t.TID, t.Name, t.State, t.Signal)), " ")
}

// lines returns what differs between two lists, as few lines as can be: by the longest list
// that both have in common.
func lines(in string, was, is []string) []Change {
	if slices.Equal(was, is) {
		return nil
	}
	// common[i][j] is the length of that of was[i:] and is[j:].
	common := make([][]int, len(was)+1)
	for i := range common {
		common[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(is) - 1; j >= 0; j-- {
			if was[i] == is[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var all []Change
	for i, j := 0, 0; i < len(was) || j < len(is); {
		switch {
		case i < len(was) && j < len(is) && was[i] == is[j]:
			i, j = i+1, j+1
		case j == len(is) || i < len(was) && common[i+1][j] >= common[i][j+1]:
			all = append(all, Change{In: in, Was: fmt.Sprintf("#%d %s", i, was[i])})
			i++
		default:
			all = append(all, Change{In: in, Is: fmt.Sprintf("#%d %s", j, is[j])})
			j++
		}
	}
	return all
}
