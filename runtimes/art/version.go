package art

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
)

// releases names Android's releases by API level.
var releases = map[int]string{26: "8.0", 27: "8.1", 28: "9", 29: "10", 30: "11", 31: "12", 32: "12L", 33: "13",
	34: "14", 35: "15", 36: "16", 37: "17"}

// Version returns Android's release with its API level, of ART as the layout has
// it: "11 (SDK 30)", "12 or 12L (SDK 31 or 32)" where nothing distinguishes them,
// or "unknown".
func (a *ART) Version() string {
	if a.fit.score == 0 && a.asked == 0 {
		return "unknown"
	}
	names, sdks := []string{releases[a.Layout.SDK]}, []string{fmt.Sprint(a.Layout.SDK)}
	for i := len(a.rivals) - 1; i >= 0; i-- {
		names = append([]string{releases[a.rivals[i]]}, names...)
		sdks = append([]string{fmt.Sprint(a.rivals[i])}, sdks...)
	}
	return fmt.Sprintf("%s (SDK %s)", strings.Join(names, " or "), strings.Join(sdks, " or "))
}

// SDK returns the API level of the layout that is decoded with.
func (a *ART) SDK() int { return a.Layout.SDK }

// FoundBy says how the art::Runtime was found.
func (a *ART) FoundBy() string { return a.fit.how }

// SetSDK makes ART decode as an API level would have laid things out; 0 takes
// the one that suits best again. Nobody else may use a meanwhile.
func (a *ART) SetSDK(sdk int) error {
	if sdk != 0 && (sdk < layout.OldestSDK || sdk > layout.NewestSDK) {
		return errSDK(sdk)
	}
	a.asked = sdk
	a.choose(a.fits())
	return nil
}

func errSDK(sdk int) error {
	return fmt.Errorf("SDK %d is not known: %d (Android %s) to %d are", sdk, layout.OldestSDK,
		releases[layout.OldestSDK], layout.NewestSDK)
}

// A SelfTest is what trying the layout on this core gave.
type SelfTest struct {
	Points, Sound   int // what was checked of Runtime, threads and their methods
	Methods, Decode int // methods on the stacks, and how many of them decode
	Problem         string
	// Others are the API levels whose layouts fit as well.
	Others []int
	// Asked is set if the user named the API level.
	Asked bool
}

// SelfTest says how far the layout fits this core.
func (a *ART) SelfTest() SelfTest {
	t := SelfTest{Points: a.fit.of, Sound: a.fit.score, Problem: a.fit.problem, Others: a.rivals, Asked: a.asked != 0}
	threads, _ := a.Threads()
	for _, x := range threads {
		acts, err := a.Activations(x)
		for _, q := range acts {
			if q.Stale || q.Kind == frame.RuntimeSave {
				continue
			}
			t.Methods++
			if q.Method.Sound() {
				t.Decode++
			} else if t.Problem == "" {
				t.Problem = q.Method.Problem
			}
		}
		if err != nil && t.Problem == "" && !x.Runnable {
			t.Problem = fmt.Sprintf("thread %d: %v", x.TID, err)
		}
	}
	return t
}

// Sure sums the test up in a word: "sure", "likely", "doubtful", or "unknown".
func (t SelfTest) Sure() string {
	switch {
	case t.Sound == 0:
		return "unknown"
	case t.Sound < t.Points || t.Decode < t.Methods:
		return "doubtful"
	case t.Methods == 0 || len(t.Others) > 0:
		return "likely"
	}
	return "sure"
}

// String sums the test up in a line.
func (t SelfTest) String() string {
	s := fmt.Sprintf("%s: %d of %d points hold, %d of %d methods on stacks decode", t.Sure(), t.Sound, t.Points,
		t.Decode, t.Methods)
	if len(t.Others) > 0 {
		s += fmt.Sprintf("; SDK %s would fit as well", strings.Trim(fmt.Sprint(t.Others), "[]"))
	}
	if t.Problem != "" {
		s += "; first problem: " + t.Problem
	}
	return s
}

// Warnings says how far the decoder can be trusted.
func (a *ART) Warnings() []core.Warning {
	var out []core.Warning
	warn := func(format string, args ...any) {
		out = append(out, core.Warning{Place: "art", Text: fmt.Sprintf(format, args...)})
	}
	switch {
	case a.Runtime == 0:
		warn("the Runtime was not found: %v", errors.New("no symbol, register, stack or memory leads to it"))
	case a.fit.score < a.fit.of:
		warn("no layout fits in all points; %v fits best: %s", a.Layout, a.fit.problem)
	}
	return out
}

// scanForRuntime searches writable memory for a Runtime by its first member, the
// callee-save methods: pointers in 64 bits each to methods that are the
// runtime's own. It returns 0 if there is none.
func (a *ART) scanForRuntime(ctx context.Context) core.Addr {
	layouts := []*layout.Layout{layout.NewLayout(30, a.PtrSize, layout.LibCxx),
		layout.NewLayout(34, a.PtrSize, layout.LibCxx)}
	for _, s := range a.Space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 || ctx.Err() != nil || javaHeap(a.Process, s) {
			continue
		}
		for at := s.Start.Align(8); at+64 <= s.End; {
			b, err := a.Space.Window(at)
			if err != nil || len(b) < 64 {
				break
			}
			n := len(b) &^ 7
			for off := 0; off+32 <= n; off += 8 {
				first := core.Addr(a.Order.Uint64(b[off:]))
				if first == 0 || first%4 != 0 || a.Order.Uint64(b[off+8:]) == 0 {
					continue
				}
				for _, l := range layouts {
					if a.startsRuntime(b[off:], l) {
						return at + core.Addr(off)
					}
				}
			}
			at += core.Addr(n - 24)
			if n <= 32 {
				break
			}
		}
	}
	return 0
}

// startsRuntime reports whether four words are four different methods of the
// runtime's own.
func (a *ART) startsRuntime(b []byte, l *layout.Layout) bool {
	var seen [4]core.Addr
	for i := range seen {
		m := core.Addr(a.Order.Uint64(b[8*i:]))
		if !a.IsRuntimeMethod(m, l) {
			return false
		}
		for _, x := range seen[:i] {
			if x == m {
				return false
			}
		}
		seen[i] = m
	}
	return true
}

// javaHeap reports whether a segment belongs to the Java heap, where no Runtime
// lies.
func javaHeap(p *core.Process, s core.Segment) bool {
	m, ok := p.Mapping(s.Start)
	return ok && strings.Contains(m.Path, "dalvik-")
}
