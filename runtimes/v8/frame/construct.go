package frame

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// markNew finds out which of the frames that a position table lists were called
// with new: the table does not say, the caller's bytecode at that place does.
func (dec *Deopt) markNew(frames []inlinedFrame) {
	for i := 0; i+1 < len(frames); i++ {
		frames[i].Construct = dec.callsNew(&frames[i+1], frames[i].Shared)
	}
}

// callsNew reports whether the function of caller calls callee with new where
// it is. A class is called in no other way.
func (dec *Deopt) callsNew(caller *inlinedFrame, callee layout.Tagged) bool {
	f, ok := dec.objects.SharedInfo(callee)
	if !ok {
		return false
	}
	if f.Flags>>uint(dec.Layout.SharedFunctionInfo.ClassConstructorShift)&1 == 1 {
		return true
	}
	a, err := dec.objects.BytecodeArray(caller.Shared)
	if err != nil {
		return false
	}
	for _, p := range a.Positions {
		if p.Position != caller.position {
			continue
		}
		at := slices.IndexFunc(a.Bytecodes, func(b bytecode.Bytecode) bool { return b.Offset == p.Offset })
		if at >= 0 && isConstruct(a.Bytecodes[at].Name) && !dec.constructsPromise(a.Bytecodes[:at+1]) {
			return true
		}
	}
	return false
}

// isConstruct reports whether a bytecode calls with new; interpreter/bytecodes.h.
func isConstruct(name string) bool {
	return strings.HasPrefix(name, "Construct") || strings.HasPrefix(name, "FindNonDefaultConstructorOrConstruct")
}

// constructsPromise reports whether the last of code makes a Promise, known by the
// name of a global: where that is expanded, the function that it is given is
// called at the same place, but not with new (compiler/js-call-reducer.cc:
// ReducePromiseConstructor).
func (dec *Deopt) constructsPromise(code []bytecode.Bytecode) bool {
	last := len(code) - 1
	if len(code[last].Operands) == 0 {
		return false
	}
	target := code[last].Operands[0].Text
	for i := last - 1; i > 0; i-- {
		b := &code[i]
		if !strings.HasPrefix(b.Name, "Star") {
			continue
		}
		to := "r" + b.Name[len("Star"):] // Star3 is short for Star r3
		if len(b.Operands) > 0 {
			to = b.Operands[0].Text
		}
		if to != target {
			continue
		}
		load := &code[i-1]
		return strings.HasPrefix(load.Name, "LdaGlobal") && len(load.Operands) > 0 && dec.objects.NameIs(load.Operands[0].Constant, "Promise")
	}
	return false
}

// constructs reports whether the function was called by new: its caller's
// frame is of a construct type (CommonFrame::IsConstructFrame), or its caller is
// optimised code that has made no such frame.
func (a *activation) constructs() bool {
	dec := a.v
	for at := a.fp; ; {
		w, ok := dec.Word(at)
		fp := core.Addr(w)
		if !ok || fp <= at {
			return false
		}
		w, ok = dec.Word(fp.Add(int64(dec.Layout.Frame.ContextOrType)))
		if !ok {
			return false
		}
		if w&1 != 0 {
			return dec.callsWithNew(at, fp) && !(a.runsBaseline() && dec.hidesNew())
		}
		switch dec.Markers[int(w>>1)] {
		case "Construct", "FastConstruct":
			return true
		case "ArgumentsAdaptor":
			at = fp
		default:
			return false
		}
	}
}

// hidesNew reports whether Error.stack no longer shows what callsWithNew finds of
// functions that run baseline code. Node's patches of V8 14.6.202.34 have brought that
// between their 28th, of Node 26.8.0, and their 32nd, of 26.9.0.
func (dec *Decoder) hidesNew() bool {
	img := dec.Image
	return hidesNew(img.Version, img.Embedder)
}

func hidesNew(v layout.Version, embedder string) bool {
	const patches = 29
	number, ok := strings.CutPrefix(embedder, "-node.")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return false
	}
	last := layout.Version{Major: 14, Minor: 6, Build: 202, Patch: 34}
	c := slices.Compare([]int{v.Major, v.Minor, v.Build, v.Patch}, []int{last.Major, last.Minor, last.Build, last.Patch})
	return c > 0 || c == 0 && n >= patches
}

// callsWithNew reports whether the frame at caller, which has called the one at
// fp, is of optimised code that made the object itself and then called its
// constructor like a function. Error.stack says so from V8 13 on
// (execution/isolate.cc: FrameSummaries::top_frame_is_construct_call).
func (dec *Decoder) callsWithNew(fp, caller core.Addr) bool {
	ra, ok := dec.Word(fp + 8)
	if !ok || dec.Layout.Version.Before(13, 0) {
		return false
	}
	pc := core.Addr(ra)
	if dec.Process.Arch == core.ARM64 {
		pc = dec.Process.StripCode(pc) & (1<<48 - 1)
	}
	p := dec.objects.Place(pc - 1)
	if !dec.optimised(p.Code) {
		return false
	}
	_, constructs, err := dec.byTranslation(p.Code, dec.returnOffset(p.Code, int(pc-p.Code.Start)), caller)
	return err == nil && constructs
}

// optimised reports whether c is code of Maglev or TurboFan; c may be nil.
func (dec *Decoder) optimised(c *object.Code) bool {
	return c != nil && (c.Kind == dec.Layout.Code.KindMaglev || c.Kind == dec.Layout.Code.KindTurbofan)
}

// runsBaseline reports whether the frame is of Sparkplug's code.
func (a *activation) runsBaseline() bool {
	return a.place.Code != nil && a.place.Code.Kind == a.v.Layout.Code.KindBaseline
}
