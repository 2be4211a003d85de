package crash

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A cycle is a recursion: functions that call each other, innermost first.
type cycle struct {
	functions []string
	depth     int // frames of it
	end       int // the frame that called it, of all
	// frames are one turn of it, from the function whose name comes first: which one was
	// the last to run is chance.
	frames []stack.Frame
}

// How a recursion is known: functions of a cycle, and frames that it must take at least.
const (
	maxCycle     = 24
	minRecursion = 200
)

// recursion finds the functions that a deep stack repeats, by the frames after the first
// few: what it was doing when it ended need not be part of it.
func recursion(frames []stack.Frame) (cycle, bool) {
	for skip := 0; skip < maxCycle && len(frames)-skip > minRecursion; skip++ {
		list := frames[skip:]
		for n := 1; n <= maxCycle; n++ {
			depth := n
			for depth < len(list) && list[depth].Name == list[depth-n].Name && list[depth].Name != "" {
				depth++
			}
			if depth >= minRecursion {
				c := cycle{depth: depth, end: skip + depth}
				for i := range n {
					c.functions = append(c.functions, list[i].Name)
				}
				first := 0
				for i := range n {
					if c.functions[i] < c.functions[first] {
						first = i
					}
				}
				c.frames = slices.Concat(list[first:n], list[:first])
				return c, true
			}
		}
	}
	return cycle{}, false
}

// short names the functions of the cycle.
func (c *cycle) short() string {
	if len(c.functions) == 1 {
		return c.functions[0] + " calls itself"
	}
	return strings.Join(c.functions[:min(len(c.functions), 4)], ", ") + " call each other"
}

// String says what repeats how often.
func (c *cycle) String() string {
	return fmt.Sprintf("%s, in at least %d frames", c.short(), c.depth)
}

// calledBy names the function of a managed language that called a recursion of native code, and a
// native method of that language before it; "" if there is none. Who looks at the first frames only
// gets those beyond them.
func (x *examination) calledBy(c *cycle) string {
	if c.frames[0].Kind != runtimes.Native {
		return ""
	}
	method, frames := "", x.stack.Frames
	if c.end == len(frames) && c.end < maxFrames && x.s.Stacks != nil && x.s.Stacks.Walk != nil {
		frames = x.s.Stacks.Thread(x.ctx, x.s.Thread, stack.Options{Limit: maxFrames}).Frames
		for c.end < len(frames) && frames[c.end].Name == frames[c.end-len(c.frames)].Name {
			c.end++
		}
	}
	for i := range frames[c.end:] {
		switch f := &frames[c.end+i]; {
		case !stack.Managed(f) || f.Name == "":
		case f.Line == 0 && method == "":
			method = f.Name
		case method != "":
			return method + " at " + where.Frame(f)
		default:
			return where.Frame(f)
		}
	}
	return method
}
