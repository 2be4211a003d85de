package fit

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
)

// A Candidate is a layout that is tried on a core. It is not safe for concurrent use until Probe has returned it.
type Candidate struct {
	*layout.Memory
	// Objects reads objects with the layout. Its places are in the scripts that V8 ran, without source maps.
	Objects *object.Reader

	selfTest func() SelfTest
	objects  func() sampleList // the objects to take samples from
	some     []layout.Tagged   // functions found by someBy
	someBy   functionFields
}

// New returns the layout of mem to be tried.
func New(mem *layout.Memory) *Candidate {
	v := &Candidate{Memory: mem}
	up := &trialRooms{}
	v.Objects = object.New(mem, up)
	up.heaps, up.text = heap.New(v.Objects, nil), source.New(v.Objects)
	v.objects = sync.OnceValue(func() sampleList { return sampleObjects(v.Space, v.Order, v.SlotSize(), v.InCage) })
	v.testAnew()
	return v
}

// testAnew has the next self-test made with the layout as it is then.
func (v *Candidate) testAnew() { v.selfTest = sync.OnceValue(selfTester{v}.run) }

// Forget drops the objects that were read with the old layout, after the caller has changed it. It must not run
// beside other methods.
func (v *Candidate) Forget() {
	v.some = nil
	v.Objects.Forget()
	v.testAnew()
}

// trialRooms are the rooms above objects as far as a trial needs them.
type trialRooms struct {
	heaps *heap.Walker
	text  *source.Reader
}

// Heaps implements object.Above.
func (r *trialRooms) Heaps() []core.Addr { return r.heaps.HeapsOfPages() }

// CallPosition implements object.Above.
func (r *trialRooms) CallPosition(shared layout.Tagged, offset int) (int, bool) {
	return r.text.CallPosition(shared, offset)
}

// Original implements object.Above: places stay as they are.
func (r *trialRooms) Original(_ layout.Tagged, file string, line, column int) (of string, l, c int) {
	return file, line, column
}

// A functionFields is what decides which objects are functions of programs, and which have bytecodes.
type functionFields struct{ shared, data, script, sharedType, scriptType, bytecodeType int }
