package fit

import (
	"cmp"
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A SelfTest is what trying the layout on this core gave.
type SelfTest struct {
	Functions int // SharedFunctionInfos that were tried
	Sound     int // of them: name, script, extent and positions fit
	Coded     int // of them: they have bytecodes, which were read
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

// better reports whether more functions decode than in another test: bytecodes first, without
// which the rest proves little.
func (s SelfTest) better(o SelfTest) bool {
	if (s.Coded > 0) != (o.Coded > 0) {
		return s.Coded > 0
	}
	return cmp.Or(cmp.Compare(s.Sound, o.Sound), cmp.Compare(s.Coded, o.Coded)) > 0
}

// SelfTest tries the layout on functions of this core, once.
func (v *Candidate) SelfTest() SelfTest { return v.selfTest() }

// wantFunctions is how many functions the self-test tries at most.
const wantFunctions = 50

// A selfTester makes a self-test.
type selfTester struct{ *Candidate }

// run takes functions from the stacks, and then the other functions of their scripts.
func (v selfTester) run() SelfTest {
	var t SelfTest
	seen := map[layout.Tagged]bool{}
	var tried []layout.Tagged
	functions := v.sampleFunctions()
	if typ := v.TypeNumber("JS_FUNCTION_TYPE"); len(functions) == 0 && v.Image.Constants.Table != nil && typ >= 0 {
		functions = v.samples(typ)
	}
	for _, fn := range functions {
		if t.Functions >= wantFunctions {
			break
		}
		if shared, ok := v.Objects.ClosureShared(fn); ok && !seen[shared] {
			seen[shared] = true
			tried = append(tried, shared)
			v.tryFunction(&t, shared)
		}
	}
	for _, shared := range tried {
		if t.Functions >= wantFunctions {
			break
		}
		v.tryScript(&t, shared, seen)
	}
	return t
}

// tryScript tries the other functions of a function's script.
func (v selfTester) tryScript(t *SelfTest, shared layout.Tagged, seen map[layout.Tagged]bool) {
	f, ok := v.Objects.SharedInfo(shared)
	if !ok || f.Script == 0 {
		return
	}
	infos, ok := v.Field(f.Script, v.Layout.Script.SharedInfos)
	if !ok {
		return
	}
	for i := 0; i < 4*wantFunctions && t.Functions < wantFunctions; i++ {
		s, ok := v.Objects.Element(infos, i)
		if !ok {
			return
		}
		if s &^= 2; s.IsHeap() && !seen[s] && v.IsSharedFunctionInfo(s) {
			seen[s] = true
			v.tryFunction(t, s)
		}
	}
}

// tryFunction checks that what is decoded of a function fits together.
func (v selfTester) tryFunction(t *SelfTest, shared layout.Tagged) {
	f, ok := v.Objects.SharedInfo(shared)
	if !ok || f.Script == 0 {
		return
	}
	problem := v.problemOf(shared, f)
	if problem != "" && !v.present(shared) {
		return // what does not fit may be what is missing
	}
	t.Functions++
	if problem == "" {
		t.Sound++
		if a, err := v.Objects.BytecodeArray(shared); err == nil && len(a.Bytecodes) > 0 {
			t.Coded++
		}
	} else if t.Problem == "" {
		t.Problem = fmt.Sprintf("%s at %v: %s", v.Objects.SharedName(shared), shared.Addr(), problem)
	}
}

// Doubt returns an error if functions of this core do not decode with the layout. That happens if V8 was
// modified or reports a version other than its own. A few functions may have an unknown kind.
func (v *Candidate) Doubt() error {
	t := v.SelfTest()
	if 10*t.Sound >= 9*t.Functions {
		return nil
	}
	return fmt.Errorf("v8: %v: the JavaScript shown may be wrong: with the layout of %d.%d only %d of %d functions decode; first failure: %s",
		v.Image.VersionText(), v.Layout.Version.Major, v.Layout.Version.Minor, t.Sound, t.Functions, t.Problem)
}

// ownClasses are classes that programs seldom replace, and whose prototypes have them.
var ownClasses = []string{"Object", "Function", "Array", "Map", "Set", "Promise", "RegExp", "Error", "Date",
	"ArrayBuffer", "Symbol", "WeakMap"}

// everyRealmHas are types with an object in each realm.
var everyRealmHas = []string{"JS_GLOBAL_OBJECT_TYPE", "JS_GLOBAL_PROXY_TYPE"}

// DoubtValues says that the properties of objects do not decode, or that types of objects that there must
// be are not known; nil if they do or nothing was found to try: functions may decode where other objects were changed.
func (v *Candidate) DoubtValues() error {
	for _, name := range everyRealmHas {
		if v.TypeNumber(name) < 0 {
			return fmt.Errorf("names of methods and values of JavaScript may be wrong: no object of the type %s was found, nor perhaps of others", name)
		}
	}
	tried, sound := selfTester{v}.tryValues()
	if 10*sound >= 9*tried {
		return nil
	}
	return fmt.Errorf("values of JavaScript may be wrong: with the layout of %d.%d the prototypes of %d of %d of its own classes lead back to them",
		v.Layout.Version.Major, v.Layout.Version.Minor, sound, tried)
}

// tryValues follows V8's own classes to their prototypes and back.
func (v selfTester) tryValues() (tried, sound int) {
	realms, err := v.Objects.Realms(context.Background(), nil)
	if err != nil || len(realms) == 0 {
		return 0, 0
	}
	global, err := v.Objects.GlobalObject(realms[0])
	if err != nil {
		return 0, 0
	}
	for _, name := range ownClasses {
		p, ok := v.Objects.OwnProperty(global, name)
		if !ok || !v.IsFunction(p.Value) {
			continue
		}
		tried++
		if proto, ok := v.Objects.FunctionPrototype(p.Value); ok {
			if c, ok := v.Objects.OwnProperty(proto, "constructor"); ok && c.Value == p.Value {
				sound++
			}
		}
	}
	return tried, sound
}

// present reports whether the core has the words of a function that the test reads first.
func (v *Candidate) present(shared layout.Tagged) bool {
	const head = 64
	objects := []layout.Tagged{shared}
	if n, ok := v.Field(shared, v.Layout.SharedFunctionInfo.Name); ok && n.IsHeap() {
		objects = append(objects, n)
	}
	if b, ok := v.Objects.BytecodeOf(shared); ok {
		objects = append(objects, b)
	}
	for _, o := range objects {
		if _, err := core.ReadBytes(v.Space, o.Addr(), head); err != nil {
			return false
		}
	}
	return true
}

// problemOf says what does not fit of a function, "" if all does.
func (v selfTester) problemOf(shared layout.Tagged, f object.SharedInfo) string {
	n, ok := v.Field(shared, v.Layout.SharedFunctionInfo.Name)
	if !ok || !n.IsSmi() && !v.Objects.IsString(n) && !v.Is(n, v.Types.ScopeInfo) {
		return "its name is not a name"
	}
	if v.Is(n, v.Types.ScopeInfo) {
		if p := v.problemOfScope(n); p != "" {
			return p
		}
	}
	start, end := v.Objects.Extent(shared)
	if start > end {
		return fmt.Sprintf("it extends from %d to %d", start, end)
	}
	if source, ok := v.Field(f.Script, v.Layout.Script.Source); ok && v.Objects.IsString(source) {
		if info, err := v.Objects.StringInfo(source); err == nil && end > int(info.Length) {
			return fmt.Sprintf("it extends to %d of a source of %d", end, info.Length)
		}
	}
	bytecode, ok := v.Objects.BytecodeOf(shared)
	if !ok {
		return ""
	}
	if entries, ok := v.Objects.BytecodePositions(bytecode); ok {
		for _, e := range entries {
			if o := e.Source.Offset(); o < start || end >= 0 && o > end {
				return fmt.Sprintf("position %d lies outside of %d to %d", o, start, end)
			}
		}
	}
	return v.problemOfCode(shared)
}

// problemOfScope says what does not fit of a ScopeInfo.
func (v selfTester) problemOfScope(o layout.Tagged) string {
	s, err := v.Objects.ScopeInfo(o)
	if err != nil {
		return err.Error()
	}
	name := func(n layout.Tagged) bool { return v.Objects.IsString(n) || v.Is(n, v.Types.Symbol) }
	for _, n := range s.ContextLocals {
		if !name(n) {
			return "a variable of its scope has no name"
		}
	}
	outer := s.Outer
	switch {
	case outer != 0 && !v.Is(outer, v.Types.ScopeInfo) && v.Objects.OddballKind(outer) == "":
		return "the scope around it is not a scope"
	case s.FunctionName != 0 && !s.FunctionName.IsSmi() && !name(s.FunctionName):
		return "the name in its scope is not a name"
	}
	return ""
}

// problemOfCode says what does not fit of a function's bytecodes.
func (v selfTester) problemOfCode(shared layout.Tagged) string {
	a, err := v.Objects.BytecodeArray(shared)
	switch {
	case err != nil, a.Assumed != nil && len(v.Image.BytecodeSizes) == 0:
		return "" // not in the core, or known to be guessed
	case a.Assumed != nil:
		// By V8's own sizes it is known where bytecodes begin, whatever they are.
		if off, ok := strayPosition(a); ok {
			return fmt.Sprintf("a position belongs to byte %d, where no bytecode begins", off)
		}
		return ""
	case a.Problem != nil:
		return a.Problem.Error()
	case a.FrameSize&7 != 0 || a.Registers < 0:
		return fmt.Sprintf("its frame has %d bytes", a.FrameSize)
	}
	for _, h := range a.Handlers {
		if h.Start < 0 || h.Start > h.End || h.End > a.Length || h.Handler < 0 || h.Handler > a.Length {
			return fmt.Sprintf("a handler for %d to %d lies at %d of %d bytes", h.Start, h.End, h.Handler, a.Length)
		}
	}
	if off, ok := strayPosition(a); ok {
		return fmt.Sprintf("a position belongs to byte %d, where no bytecode begins", off)
	}
	r := v.Objects.RegistersOf(a.Params)
	for i := range a.Bytecodes {
		for _, o := range a.Bytecodes[i].Operands {
			if o.Kind == "register" && o.Value <= int64(r.File) && int64(r.File)-o.Value >= int64(a.Registers) {
				return fmt.Sprintf("%s at %d names %s of %d registers", a.Bytecodes[i].Name, a.Bytecodes[i].Offset,
					o.Text, a.Registers)
			}
		}
	}
	return ""
}

// strayPosition returns the offset of a position that is none of a bytecode: its table is
// written in another way.
func strayPosition(a *object.BytecodeArray) (offset int, ok bool) {
	begins := map[int]bool{}
	for i := range a.Bytecodes {
		begins[a.Bytecodes[i].Offset] = true
	}
	for _, p := range a.Positions {
		if p.Offset >= 0 && !begins[p.Offset] { // -1 is the function's entry
			return p.Offset, true
		}
	}
	return 0, false
}
