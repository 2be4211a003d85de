package art

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// LeakRules returns the known leak patterns of Android programs. It implements runtimes.LeakRuler.
func (a *ART) LeakRules() []graph.Rule {
	var out []graph.Rule
	for i := range doneWith {
		d := &doneWith[i]
		out = append(out, graph.Rule{ID: d.id, Always: true, Find: func(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
			return a.stillHeld(ctx, g, d)
		}})
	}
	return append(out,
		graph.Rule{ID: "bitmaps", Find: a.bitmaps},
		graph.Rule{ID: "native-allocations", Find: a.nativeAllocations},
		graph.Rule{ID: "threadlocals", Find: a.threadLocals},
		graph.Rule{ID: "statics", Explains: true, Find: a.staticCollections})
}

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
	{"fragments", "androidx.fragment.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}}, "detached (mFragmentManager is null)"},
	{"fragments", "android.support.v4.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}}, "detached (mFragmentManager is null)"},
	{"fragments", "android.app.Fragment", []fieldIs{{"mFragmentManager", 0}, {"mCalled", 1}}, "detached (mFragmentManager is null)"},
}

// eachOf calls yield for the reachable objects of classes with a name, or of classes that extend or implement
// such a class.
func (a *ART) eachOf(ctx context.Context, g *graph.Graph, name string, yield func(graph.ID, object.Object)) error {
	is := map[int32]bool{}
	for id := range graph.ID(g.Len()) {
		if id&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t := g.TypeNumber(id)
		want, known := is[t]
		if known && !want {
			continue
		}
		o, err := a.Object(g.Addr(id))
		if !known {
			want = err == nil && a.IsA(o.Class, name)
			is[t] = want
		}
		if want && err == nil && g.Reachable(id, graph.Stacked) {
			yield(id, o)
		}
	}
	return nil
}

// stillHeld finds objects that are done with, by class.
func (a *ART) stillHeld(ctx context.Context, g *graph.Graph, d *done) ([]graph.Evidence, error) {
	by := map[string][]core.Addr{}
	err := a.eachOf(ctx, g, d.class, func(_ graph.ID, o object.Object) {
		for _, f := range d.fields {
			if !a.holds(o, f) {
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
			out = append(out, graph.Evidence{Objects: list, Class: class, Why: fmt.Sprintf("%d of %s, %s and still held", len(list), class, d.why)})
		}
	}
	slices.SortStableFunc(out, func(x, y graph.Evidence) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.Objects[0], y.Objects[0]))
	})
	return out, nil
}

// holds reports whether a field is what it is to be; false if there is none.
func (a *ART) holds(o object.Object, f fieldIs) bool {
	x, ok := a.FindField(o.Class, f.name)
	if !ok || x.Static() {
		return false
	}
	if object.PrimitiveOf(x.Type) != object.NotPrimitive {
		v, ok := a.IntField(o, f.name)
		return ok && v == f.value
	}
	to, ok := a.RefField(o, f.name)
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
func (a *ART) bitmaps(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	var by [3][]core.Addr
	outside := map[core.Addr]uint64{}
	err := a.eachOf(ctx, g, "android.graphics.Bitmap", func(_ graph.ID, o object.Object) {
		width, ok1 := a.IntField(o, "mWidth")
		height, ok2 := a.IntField(o, "mHeight")
		recycled, _ := a.IntField(o, "mRecycled")
		if !ok1 || !ok2 || recycled != 0 || width < 0 || width > maxPixels || height < 0 || height > maxPixels {
			return
		}
		where := pixelsNowhere
		buffer, _ := a.RefField(o, "mBuffer")
		if native, ok := a.IntField(o, "mNativePtr"); buffer != 0 {
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
func (a *ART) nativeAllocations(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	by := map[string]*graph.Evidence{}
	err := a.eachOf(ctx, g, "sun.misc.Cleaner", func(_ graph.ID, o object.Object) {
		thunk, ok := a.RefField(o, "thunk")
		if !ok || !strings.HasSuffix(a.className(thunk), "NativeAllocationRegistry$CleanerThunk") {
			return
		}
		t, err := a.Object(thunk)
		referent, ok := a.RefField(o, "referent")
		if err != nil || !ok || referent == 0 {
			return
		}
		class := a.className(referent)
		if native, _ := a.IntField(t, "nativePtr"); native == 0 || class == "" || class == "android.graphics.Bitmap" {
			return
		}
		e := by[class]
		if e == nil {
			e = &graph.Evidence{Class: class}
			by[class] = e
		}
		e.Objects = append(e.Objects, referent)
		if registry, ok := a.RefField(t, "this$0"); ok {
			if r, err := a.Object(registry); err == nil {
				size, _ := a.IntField(r, "size")
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

func (a *ART) className(at core.Addr) string {
	if at == 0 {
		return ""
	}
	o, err := a.Object(at)
	if err != nil {
		return ""
	}
	return o.Class.Name
}

// leastLocal is from how many retained bytes on the thread of a value is looked for.
const leastLocal = 128 << 10

// threadLocals finds large values of ThreadLocals, by thread.
func (a *ART) threadLocals(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	var out []graph.Evidence
	var failed error
	err := a.eachOf(ctx, g, "java.lang.ThreadLocal$ThreadLocalMap$Entry", func(id graph.ID, o object.Object) {
		value, ok := a.RefField(o, "value")
		if v, known := g.ID(value); !ok || !known || g.Tree().Retained(v) < leastLocal {
			return
		}
		e := graph.Evidence{Objects: []core.Addr{value}, Class: a.className(value)}
		e.Why = "the value of a ThreadLocal"
		if thread, ok, err := a.threadAbove(ctx, g, id); ok {
			e.Why += fmt.Sprintf(" of thread %q", thread)
		} else if err != nil {
			failed = err
		}
		out = append(out, e)
	})
	return out, errors.Join(err, failed)
}

// threadAbove returns the name of the thread on the way to an object.
func (a *ART) threadAbove(ctx context.Context, g *graph.Graph, id graph.ID) (string, bool, error) {
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return "", false, err
	}
	for _, x := range slices.Backward(ways[0].Objects) {
		o, err := a.Object(g.Addr(x))
		if err != nil || !a.IsA(o.Class, "java.lang.Thread") {
			continue
		}
		name, ok := a.RefField(o, "name")
		if !ok {
			return "", false, nil
		}
		s, err := a.String(name, maxThreadName)
		return s.Value, err == nil, nil
	}
	return "", false, nil
}

// maxThreadName is how many characters of a thread's name are shown.
const maxThreadName = 60

// collecting are classes whose objects collect others, and the ends of the names of
// fields that do.
var (
	collecting = []string{"java.util.Collection", "java.util.Map", "java.util.HashMap", "java.util.ArrayList", "android.util.ArrayMap",
		"android.util.ArraySet", "android.util.SparseArray", "android.util.LongSparseArray", "android.util.LruCache",
		"androidx.collection.ArrayMap", "androidx.collection.LruCache", "androidx.collection.SparseArrayCompat"}
	collectingFields = []string{"listeners", "callbacks", "observers", "cache"}
)

// staticCollections finds collections that static fields hold: whatever piles up in one
// stays for as long as the class does.
func (a *ART) staticCollections(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	var out []graph.Evidence
	err := a.eachOf(ctx, g, "java.lang.Class", func(_ graph.ID, o object.Object) {
		c := a.ClassAt(o.Addr)
		for _, f := range a.Fields(c) {
			if !f.Static() || object.PrimitiveOf(f.Type) != object.NotPrimitive {
				continue
			}
			to, ok := a.Ref(c.Addr + core.Addr(f.Offset))
			id, known := g.ID(to)
			if !ok || !known || g.Tree().Retained(id) < leastLocal || !a.collects(to, f.Name) {
				continue
			}
			out = append(out, graph.Evidence{Objects: []core.Addr{to}, Class: a.className(to),
				Why: fmt.Sprintf("a collection in a static field, which lasts as long as class %s", c.Name)})
		}
	})
	return out, err
}

// collects reports whether an object collects others, by its class or by the name of the
// field that holds it.
func (a *ART) collects(at core.Addr, field string) bool {
	o, err := a.Object(at)
	if err != nil {
		return false
	}
	name := strings.ToLower(field)
	return slices.ContainsFunc(collecting, func(class string) bool { return a.IsA(o.Class, class) }) ||
		slices.ContainsFunc(collectingFields, func(end string) bool { return strings.HasSuffix(name, end) })
}
