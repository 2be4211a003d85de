package v8

import "fmt"

// A SelfTest is what trying the layout on this core gave.
type SelfTest struct {
	Functions int // SharedFunctionInfos that were tried
	Sound     int // of them: name, script, extent and positions fit
	Problem   string
}

// String sums the test up in a line.
func (s SelfTest) String() string {
	if s.Functions == 0 {
		return "no function was found to try the layout on"
	}
	out := fmt.Sprintf("%d of %d functions decode", s.Sound, s.Functions)
	if s.Problem != "" {
		out += "; first failure: " + s.Problem
	}
	return out
}

// SelfTest tries the layout on functions of this core, once.
func (v *V8) SelfTest() SelfTest { return v.selfTest() }

// Limits of the self-test: functions tried, and words of each stack read.
const (
	wantFunctions = 50
	maxStackWords = 64 << 10
)

// runSelfTest takes functions from the stacks, and those of their scripts.
func (v *V8) runSelfTest() SelfTest {
	var t SelfTest
	seen := map[Tagged]bool{}
	for _, fn := range v.stackFunctions(maxProbed) {
		if t.Functions >= wantFunctions {
			break
		}
		if shared, ok := v.closureShared(fn); ok {
			v.tryScript(&t, shared, seen)
		}
	}
	return t
}

// tryScript tries a function and the others of its script.
func (v *V8) tryScript(t *SelfTest, shared Tagged, seen map[Tagged]bool) {
	try := func(s Tagged) {
		if !seen[s] {
			seen[s] = true
			v.tryFunction(t, s)
		}
	}
	try(shared)
	f, ok := v.function(shared)
	if !ok || f.script == 0 {
		return
	}
	infos, ok := v.field(f.script, v.layout.Script.SharedInfos)
	if !ok {
		return
	}
	for i := 0; i < 4*wantFunctions && t.Functions < wantFunctions; i++ {
		s, ok := v.element(infos, i)
		if !ok {
			return
		}
		if s.IsHeap() && v.isSharedFunctionInfo(s&^2) {
			try(s &^ 2)
		}
	}
}

// tryFunction checks that what is decoded of a function fits together.
func (v *V8) tryFunction(t *SelfTest, shared Tagged) {
	f, ok := v.function(shared)
	if !ok || f.script == 0 {
		return
	}
	t.Functions++
	problem := func() string {
		n, ok := v.field(shared, v.layout.SharedFunctionInfo.Name)
		if !ok || !n.IsSmi() && !v.IsString(n) && !v.is(n, v.types.scopeInfo) {
			return "its name is no name"
		}
		start, end := v.extent(shared)
		if start > end {
			return fmt.Sprintf("it extends from %d to %d", start, end)
		}
		bytecode, ok := v.bytecodeOf(shared)
		if !ok {
			return ""
		}
		entries, ok := v.bytecodePositions(bytecode)
		if !ok {
			return ""
		}
		for _, e := range entries {
			if o := e.source.offset(); o < start || end >= 0 && o > end {
				return fmt.Sprintf("position %d lies outside of %d to %d", o, start, end)
			}
		}
		return ""
	}()
	if problem == "" {
		t.Sound++
	} else if t.Problem == "" {
		t.Problem = fmt.Sprintf("%s at %v: %s", v.sharedName(shared), shared.Addr(), problem)
	}
}
