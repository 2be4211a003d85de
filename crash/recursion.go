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
	turn      int // frames of one turn, with those that the functions leave out
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
				turn := once(list[:n])
				c := cycle{depth: depth, end: skip + depth, turn: n}
				first := 0
				for i := range turn {
					if turn[i].Name < turn[first].Name {
						first = i
					}
				}
				c.frames = slices.Concat(turn[first:], turn[:first])
				c.functions = titled(turn)
				return c, true
			}
		}
	}
	return cycle{}, false
}

// once returns the frames of one turn of a recursion without repetitions: a function that is inlined into
// itself has several. An inlined one whose name lacks its class or namespace, as compilers note it, gets the
// name of another frame that has them.
func once(turn []stack.Frame) []stack.Frame {
	turn = slices.Clone(turn)
	for i := range turn {
		if f := &turn[i]; f.Inlined {
			f.Name = whole(turn, f.Name)
		}
	}
	return unrepeated(turn)
}

// unrepeated returns the first frames of a list that goes on with the same names.
func unrepeated(turn []stack.Frame) []stack.Frame {
	for n := 1; n < len(turn); n++ {
		same := len(turn)%n == 0
		for i := n; same && i < len(turn); i++ {
			same = turn[i].Name == turn[i-n].Name
		}
		if same {
			return turn[:n]
		}
	}
	return turn
}

// titled names the functions of one turn. Functions of libraries are left out if there are others.
func titled(turn []stack.Frame) (names []string) {
	if own := slices.DeleteFunc(slices.Clone(turn),
		func(f stack.Frame) bool { return where.OfLibrary(&f) }); len(own) > 0 {
		turn = unrepeated(own)
	}
	for i := range turn {
		if turn[i].Name == "operator()" { // of a lambda, whose place says more
			names = append(names, where.Frame(&turn[i]))
		} else {
			names = append(names, turn[i].Name)
		}
	}
	return names
}

// whole returns the name of the one function of the program that ends with a name after its class or
// namespace; the name itself if there is none, or more than one.
func whole(turn []stack.Frame, name string) string {
	found := name
	for i := range turn {
		f := &turn[i]
		switch {
		case !strings.HasSuffix(f.Name, "::"+name) || where.OfLibrary(f) || f.Name == found:
		case found != name:
			return name
		default:
			found = f.Name
		}
	}
	return found
}

// fullStack adds to a finding the functions of the program that have called each other until V8 threw a
// RangeError for it. They name the bug: which one ran last is chance.
func (x *examination) fullStack(f *finding, cause *runtimes.Cause) {
	if cause.Type != "RangeError" || cause.Message != runtimes.StackFull || x.stack == nil {
		return
	}
	c, ok := recursion(x.stack.Frames)
	own := slices.DeleteFunc(slices.Clone(c.frames), func(f stack.Frame) bool { return !stack.OfProgram(&f) })
	if !ok || len(own) == 0 {
		return
	}
	c.functions = titled(unrepeated(own))
	f.title += ": " + c.short()
	f.evidence = append(f.evidence, c.String())
	x.signed = c.frames
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
		for c.end < len(frames) && frames[c.end].Name == frames[c.end-c.turn].Name {
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
