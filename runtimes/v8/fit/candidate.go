package fit

import (
	"context"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
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
	heaps *heap.Heaps
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

// Probe finds V8 in a process, in the executable or in a library, and returns the layout that fits it. If V8 is
// there and cannot be decoded, it returns an *Undecoded instead, and neither if V8 is not there.
func Probe(ctx context.Context, t runtimes.Target) (*Candidate, *Undecoded, error) {
	if t.Process == nil || t.Process.Arch == nil || t.Process.Space == nil {
		return nil, nil, nil
	}
	img, err := layout.FindImage(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	if img == nil {
		u, err := recognize(ctx, t)
		if u == nil {
			return nil, nil, err
		}
		if v := u.decode(t); v != nil {
			return v, nil, err
		}
		u.withoutHeap(t)
		return nil, u, err
	}
	if u := refused(img, t.Process); u != nil {
		return nil, u, nil
	}
	assumed := img.Version
	if assumed.Outside() < 0 {
		if assumed == (layout.Version{}) {
			assumed = layout.NewestKnown
		} else {
			assumed = layout.OldestKnown
		}
	}
	v := New(layout.NewMemory(t, img, layout.New(assumed, img.Constants)))
	nameTypes(v, t)
	if v.Uncertain() || v.Doubt() != nil {
		v.probe()
		v.testAnew()
	}
	return v, nil, nil
}

// refused says why V8 cannot be decoded although its constants are there, or nil.
func refused(img *layout.Image, p *core.Process) *Undecoded {
	u := &Undecoded{module: img.Module}
	if img.Version != (layout.Version{}) {
		u.version = img.Version.String() + img.Embedder
	}
	if bits := 8 * p.Arch.PtrSize; bits != 64 {
		u.because("builds for %d-bit machines are not known", bits)
	}
	if n, ok := img.Constants.Values["TaggedSize"]; ok && n != 8 {
		u.because("its pointers are compressed to %d bytes", n)
	}
	if len(u.reasons) == 0 {
		return nil
	}
	return u
}
