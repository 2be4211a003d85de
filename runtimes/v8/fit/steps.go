package fit

import "coredbg/runtimes/v8/amend"

// A fact is a part of the layout that a step corrects.
type fact string

const (
	functions     fact = "fields of JSFunction"
	codeObjects   fact = "objects that contain machine code"
	mainCage      fact = "fields of trusted objects that refer to the main cage"
	frameTypes    fact = "numbers of frame types"
	descriptors   fact = "header of DescriptorArray"
	mapFlags      fact = "bit_field of Map"
	fieldIndex    fact = "index in the details of fields"
	elementsKind  fact = "elements kind in bit_field2 of Map"
	bytecodeArray fact = "fields of BytecodeArray"
	positions     fact = "flags of source positions"
	bytecodes     fact = "start of bytecodes"
	lazyData      fact = "fields of UncompiledData"
	dispatch      fact = "dispatch handle of JSFunction"
	stringHandles fact = "table of external strings"
	arrayBuffer   fact = "fields of JSArrayBuffer"
	earlySandbox  fact = "tables of the early sandbox"
	codeSize      fact = "instruction size of Code"
	promiseFlags  fact = "flags of JSPromise"
	asyncPromise  fact = "promise of JSGeneratorObject"
	typedArray    fact = "pointers of JSTypedArray"
)

// A step corrects one part of the layout of a build without constants, by objects of its heap.
type step struct {
	gives fact
	needs []fact // facts that it reads objects with
	in    func(*Candidate) bool
	run   func(*trial, *Candidate)
}

// Conditions on the build.
func anyBuild(*Candidate) bool     { return true }
func sandboxed(v *Candidate) bool  { return v.Sandbox != nil }
func compressed(v *Candidate) bool { return v.Compressed() }

// untabled reports whether pointers are compressed and no table of trusted pointers was found.
func untabled(v *Candidate) bool { return v.Compressed() && v.Sandbox == nil }

// amends is a step of the package amend.
func amends(run func(*amend.Build)) func(*trial, *Candidate) {
	return func(_ *trial, v *Candidate) { run(amended(v)) }
}

// probes is a step that the heap alone decides.
func probes(run func(*Candidate)) func(*trial, *Candidate) {
	return func(_ *trial, v *Candidate) { run(v) }
}

// The stages of a correction: steps for each numbering of types, for each table with the types of the core, and for
// the best table. Within a stage, a step comes after the steps that it needs.
type stages struct{ typeless, typed, chosen []step }

var correction = stages{
	typeless: []step{
		{functions, nil, anyBuild, amends((*amend.Build).Functions)},
		{codeObjects, nil, anyBuild, amends((*amend.Build).Code)},
	},
	typed: []step{
		{mainCage, []fact{functions, codeObjects}, sandboxed,
			probes(func(v *Candidate) { v.Sandbox.Main = mainFields(v) })},
		{frameTypes, []fact{functions}, anyBuild, amends((*amend.Build).Markers)},
		{descriptors, []fact{functions}, anyBuild, probes((*Candidate).probeDescriptors)},
		{mapFlags, []fact{functions}, anyBuild, probes((*Candidate).probeFlags)},
		{fieldIndex, []fact{descriptors}, anyBuild, probes((*Candidate).probeFieldIndex)},
		{elementsKind, []fact{functions}, anyBuild, probes((*Candidate).probeElementsKind)},
		{bytecodeArray, []fact{functions, mainCage}, anyBuild, amends((*amend.Build).BytecodeFields)},
		{positions, []fact{bytecodeArray}, anyBuild, probes((*Candidate).probePositions)},
		{bytecodes, []fact{positions}, anyBuild, amends((*amend.Build).Bytecodes)},
		{lazyData, []fact{functions}, anyBuild, amends((*amend.Build).Lazy)},
		{dispatch, []fact{functions}, anyBuild, probes((*Candidate).probeDispatch)},
		{stringHandles, []fact{functions}, sandboxed, findStrings},
		{arrayBuffer, nil, untabled, amends((*amend.Build).Buffers)},
		{earlySandbox, []fact{functions, arrayBuffer}, untabled,
			func(x *trial, v *Candidate) { amended(v).EarlySandbox(x.heap.meta) }},
		{codeSize, []fact{codeObjects, mainCage}, compressed, probes((*Candidate).probeCode)},
	},
	chosen: []step{
		{promiseFlags, nil, anyBuild, probes((*Candidate).probePromise)},
		{asyncPromise, []fact{functions}, anyBuild, probes((*Candidate).probeGeneratorPromise)},
		{typedArray, nil, anyBuild, amends((*amend.Build).TypedArrays)},
	},
}

// findStrings finds the table for the handles of external strings. Until V8 12.1 no isolate refers to it near the
// table of trusted pointers.
func findStrings(x *trial, v *Candidate) {
	x.box.probeStrings(v)
	if v.Sandbox.StringResource == nil {
		amended(v).EarlyStrings()
		v.Sandbox.StringResource = v.Early.StringResource
	}
}

// inOrder sorts the steps of a stage so that each comes after the steps that give its needs.
// Ties go to the first step in the list. A need that no step of the stage gives was met by an earlier stage. Steps
// that need each other are left out.
func inOrder(stage []step) []step {
	given := map[fact]bool{}
	for _, s := range stage {
		given[s.gives] = false
	}
	ready := func(s step) bool {
		for _, need := range s.needs {
			if done, here := given[need]; here && !done {
				return false
			}
		}
		return !given[s.gives]
	}
	out := make([]step, 0, len(stage))
	for range stage {
		for _, s := range stage {
			if ready(s) {
				given[s.gives] = true
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// take runs the steps of a stage that are for such a build.
func (x *trial) take(stage []step, v *Candidate) {
	for _, s := range inOrder(stage) {
		if s.in(v) {
			s.run(x, v)
		}
	}
}
