package art

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
	"coredbg/runtimes/java/leaks"
)

// LeakRules returns the known leak patterns of Android programs, then Java's. It implements runtimes.LeakRuler.
func (a *ART) LeakRules() []graph.Rule {
	var out []graph.Rule
	r := leakRules{leaks.NewFinder(a.JavaHeap())}
	for i := range doneWith {
		d := &doneWith[i]
		out = append(out, graph.Rule{ID: d.id, Always: true,
			Find: func(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
				return r.stillHeld(ctx, g, d)
			}})
	}
	out = append(out,
		graph.Rule{ID: "bitmaps", Find: r.bitmaps},
		graph.Rule{ID: "native-allocations", Find: r.nativeAllocations})
	return append(out, r.Rules()...)
}

// leakRules are the rules that only programs of Android have.
type leakRules struct{ *leaks.Finder }

// A fieldIs is what a field is to be: a number, or null for a reference if it is 0.
type fieldIs struct {
	name  string
	value int64
}

// A done is a class whose objects say themselves that the system is done with them.
type done struct {
	id, class string
	fields    []fieldIs // all are to hold
	why       string    // what has become of them
}

// doneWith are such classes: frameworks/base's android/app/Activity.java and Fragment.java, androidx's
// fragment/app/Fragment.java and the support library's before it. A fragment that was never attached has no
// manager either, and has not been called. Activity.mFinished is set while the activity is still at work: it
// proves nothing alone.
var doneWith = []done{
	{"activities", "android.app.Activity", []fieldIs{{"mDestroyed", 1}}, "destroyed (mDestroyed is set)"},
	{"fragments", "androidx.fragment.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}},
		"detached (mFragmentManager is null)"},
	{"fragments", "android.support.v4.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}},
		"detached (mFragmentManager is null)"},
	{"fragments", "android.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}},
		"detached (mFragmentManager is null)"},
}

// stillHeld finds objects that are done with, by class.
func (r leakRules) stillHeld(ctx context.Context, g *graph.Graph, d *done) ([]graph.Evidence, error) {
	by := map[string][]core.Addr{}
	err := r.Each(ctx, g, d.class, func(_ graph.ID, o java.Object) {
		for _, f := range d.fields {
			if !r.holds(o, f) {
				return
			}
		}
		by[o.Class.Name] = append(by[o.Class.Name], o.Addr)
	})
	if err != nil {
		return nil, err
	}
	var out []graph.Evidence
	for class, all := range by {
		groups, err := g.ByHolder(ctx, all)
		if err != nil {
			return nil, err
		}
		for _, list := range groups {
			out = append(out, graph.Evidence{Objects: list, Class: class,
				Why: fmt.Sprintf("%d of %s, %s and still held", len(list), class, d.why)})
		}
	}
	slices.SortStableFunc(out, func(x, y graph.Evidence) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.Objects[0], y.Objects[0]))
	})
	return out, nil
}

// holds reports whether a field is what it is to be; false if there is none.
func (r leakRules) holds(o java.Object, f fieldIs) bool {
	x, ok := o.Class.Member(f.name)
	if !ok {
		return false
	}
	if java.PrimitiveOf(x.Type) != java.NotPrimitive {
		v, ok := r.IntField(o, f.name)
		return ok && v == f.value
	}
	to, ok := r.RefField(o, f.name)
	return ok && (to == 0) == (f.value == 0)
}

// bytesPerPixel is what most bitmaps take: ARGB_8888.
const bytesPerPixel = 4

// maxPixels is more than either side of a bitmap has.
const maxPixels = 1 << 16

// Where the pixels of a bitmap are.
const (
	pixelsOutside = iota // in native memory, since Android 8
	pixelsInside         // in mBuffer
	pixelsNowhere        // it has been made without, or its native half is gone
)

// bitmaps finds the bitmaps that are not recycled. It groups them by the place of their pixels and
// by their holder (android/graphics/Bitmap.java).
func (r leakRules) bitmaps(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	var by [3][]core.Addr
	outside := map[core.Addr]uint64{}
	err := r.Each(ctx, g, "android.graphics.Bitmap", func(_ graph.ID, o java.Object) {
		width, ok1 := r.IntField(o, "mWidth")
		height, ok2 := r.IntField(o, "mHeight")
		recycled, _ := r.IntField(o, "mRecycled")
		if !ok1 || !ok2 || recycled != 0 || width < 0 || width > maxPixels || height < 0 || height > maxPixels {
			return
		}
		where := pixelsNowhere
		buffer, _ := r.RefField(o, "mBuffer")
		if native, ok := r.IntField(o, "mNativePtr"); buffer != 0 {
			where = pixelsInside
		} else if native != 0 || !ok {
			where = pixelsOutside
			outside[o.Addr] = uint64(width) * uint64(height) * bytesPerPixel
		}
		by[where] = append(by[where], o.Addr)
	})
	if err != nil {
		return nil, err
	}
	var out []graph.Evidence
	for where, all := range by {
		if len(all) < graph.RuleObjects {
			continue
		}
		groups, err := g.ByHolder(ctx, all)
		if err != nil {
			return nil, err
		}
		for _, list := range groups {
			e := graph.Evidence{Objects: list}
			for _, at := range list {
				e.Outside += outside[at]
			}
			switch where {
			case pixelsOutside:
				e.Why = fmt.Sprintf("%d bitmaps, with about %d bytes of pixels outside the heap", len(list), e.Outside)
			case pixelsInside:
				e.Why = fmt.Sprintf("%d bitmaps, with their pixels in the heap (mBuffer)", len(list))
			case pixelsNowhere:
				e.Why = fmt.Sprintf("%d bitmaps without pixels (mNativePtr and mBuffer are null)", len(list))
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// nativeAllocations finds the allocations registered with libcore.util.NativeAllocationRegistry, by the class
// of their objects: a sun.misc.Cleaner refers to the object, and to a CleanerThunk of the registry, which knows
// the size of each allocation. The lowest bit of the size is set for memory from malloc.
func (r leakRules) nativeAllocations(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	by := map[string]*graph.Evidence{}
	err := r.Each(ctx, g, "sun.misc.Cleaner", func(_ graph.ID, o java.Object) {
		thunk, ok := r.RefField(o, "thunk")
		if !ok || !strings.HasSuffix(r.ClassName(thunk), "NativeAllocationRegistry$CleanerThunk") {
			return
		}
		t, err := r.Object(thunk)
		referent, ok := r.RefField(o, "referent")
		if err != nil || !ok || referent == 0 {
			return
		}
		class := r.ClassName(referent)
		if native, _ := r.IntField(t, "nativePtr"); native == 0 || class == "" || class == "android.graphics.Bitmap" {
			return
		}
		e := by[class]
		if e == nil {
			e = &graph.Evidence{Class: class}
			by[class] = e
		}
		e.Objects = append(e.Objects, referent)
		if at, ok := r.RefField(t, "this$0"); ok {
			if registry, err := r.Object(at); err == nil {
				size, _ := r.IntField(registry, "size")
				e.Outside += uint64(max(size, 0)) &^ 1
			}
		}
	})
	var out []graph.Evidence
	for class, e := range by {
		if len(e.Objects) >= graph.RuleObjects {
			e.Why = fmt.Sprintf("%d of %s, with %d bytes registered outside the heap", len(e.Objects), class, e.Outside)
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(x, y graph.Evidence) int { return cmp.Compare(x.Class, y.Class) })
	return out, err
}
