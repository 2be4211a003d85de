package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// A Change is a difference between a case and the current results.
type Change struct {
	In  string `json:"in"`            // verdict, threads, missing, or a thread and a part of it
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
	differ("verdict", fmt.Sprintf("%s, %s: %s", v.Cause, v.Confidence, v.Title),
		fmt.Sprintf("%s, %s: %s", w.Cause, w.Confidence, w.Title))
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

// maxCompared bounds the pairs of lines that are compared.
const maxCompared = 1 << 20

// lines returns the differences between two lists in as few lines as possible: by their longest common
// subsequence. If the lists are very long, as in no case written here, it returns all lines between the
// first and the last difference.
func lines(in string, was, is []string) []Change {
	same := 0
	for same < len(was) && same < len(is) && was[same] == is[same] {
		same++
	}
	was, is = was[same:], is[same:]
	for n := len(was); n > 0 && len(is) > 0 && was[n-1] == is[len(is)-1]; n-- {
		was, is = was[:n-1], is[:len(is)-1]
	}
	if len(was) > maxCompared/(len(is)+1) {
		return unlike(in, same, was, is)
	}
	// common[i][j] is the length of the longest common subsequence of was[i:] and is[j:].
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
			all = append(all, Change{In: in, Was: fmt.Sprintf("#%d %s", same+i, was[i])})
			i++
		default:
			all = append(all, Change{In: in, Is: fmt.Sprintf("#%d %s", same+j, is[j])})
			j++
		}
	}
	return all
}

// unlike returns the differences of two lists, whose first lines have the number first, as if they had
// nothing in common.
func unlike(in string, first int, was, is []string) (all []Change) {
	for i, l := range was {
		all = append(all, Change{In: in, Was: fmt.Sprintf("#%d %s", first+i, l)})
	}
	for i, l := range is {
		all = append(all, Change{In: in, Is: fmt.Sprintf("#%d %s", first+i, l)})
	}
	return all
}
