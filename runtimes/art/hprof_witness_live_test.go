package art_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/object"
)

// hprofWitness is the file that ART itself wrote of its heap just before the process died
// (VMDebug.dumpHprofData), in the folder of a core that has one.
const hprofWitness = "art.hprof"

// TestLiveHprofWitness compares the file written from a core with the file that ART itself wrote in the same
// process: the same classes, objects, values of fields, elements and roots. Each difference has a reason:
//
//   - A DexCache has in ART's file an array of the strings and types that it resolved. Ours does not:
//     each of them is a root or kept by a class loader, which is checked.
//   - Kinds of roots that only the runtime's own code knows: its verifier holds the classes of
//     primitive types, which are on the boot class path as well, and its JniIdManager
//     an Object that marks where classes have no identifiers.
//   - ART was within dumpHprofData when it wrote, so that it has this method's class and
//     argument as roots of one frame more.
//   - Handle scopes are stacks of native code in ART's file, and frames in ours.
//
// Words that are left over on stacks are roots in neither: no thread is Runnable.
func TestLiveHprofWitness(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			theirs, err := os.ReadFile(filepath.Join(dir, hprofWitness))
			if err != nil {
				t.Fatal(err)
			}
			_, a := openLive(t, dir)
			var ours bytes.Buffer
			if err := a.WriteHprof(context.Background(), &ours); err != nil {
				t.Fatal(err)
			}
			have, err := art.ReadHprof(ours.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			want, err := art.ReadHprof(theirs)
			if err != nil {
				t.Fatal(err)
			}
			w := hprofComparison{t: t, a: a, have: have, want: want}
			w.classes()
			w.objects()
			w.resolved()
			w.roots()
			t.Logf("%d objects and %d classes are the same", len(have.Objects), len(have.Classes))
		})
	}
}

// An hprofComparison compares a file of ours with ART's.
type hprofComparison struct {
	t          *testing.T
	a          *art.ART
	have, want *art.HprofFile
	caches     []uint32 // the arrays of dex caches
}

// internal is a field that only ART's dex caches have as an array.
const internal = "runtimeInternalObjects"

func (w *hprofComparison) classes() {
	if !maps.Equal(w.have.Names, w.want.Names) {
		w.t.Errorf("classes %v, want %v", w.have.Names, w.want.Names)
	}
	for id, want := range w.want.Classes {
		have := w.have.Classes[id]
		if have == nil {
			w.t.Errorf("class %s is not in the file", w.want.Names[id])
			continue
		}
		fields := want.Fields
		if n := len(fields); w.want.Names[id] == "java.lang.DexCache" && fields[n-1].Name == internal {
			fields = fields[:n-1]
		}
		if have.Super != want.Super || have.Loader != want.Loader || have.InstanceSize != want.InstanceSize ||
			!maps.Equal(have.Statics, want.Statics) || !reflect.DeepEqual(have.Fields, fields) {
			w.t.Errorf("class %s is %+v, want %+v", w.want.Names[id], have, want)
		}
	}
	if len(w.have.Classes) != len(w.want.Classes) {
		w.t.Errorf("%d classes, want %d", len(w.have.Classes), len(w.want.Classes))
	}
}

func (w *hprofComparison) objects() {
	for id, want := range w.want.Objects {
		if w.want.Names[want.Class] != "java.lang.DexCache" {
			continue
		}
		fields, err := w.want.Fields(want)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, f := range fields {
			if f.Name == internal {
				w.caches = append(w.caches, uint32(f.Bits))
			}
		}
		mine, err := w.have.Fields(w.have.Objects[id])
		if err != nil {
			w.t.Fatal(err)
		}
		if without := deleteField(fields, internal); !reflect.DeepEqual(mine, without) {
			w.t.Errorf("DexCache at %#x has %v, want %v", id, mine, without)
		}
	}
	if len(w.caches) == 0 {
		w.t.Error("there is no DexCache")
	}
	for _, id := range w.caches {
		if w.have.Objects[id] != nil || w.want.Objects[id] == nil {
			w.t.Errorf("the array of a dex cache at %#x is %v and %v", id, w.have.Objects[id], w.want.Objects[id])
		}
	}
	for id, want := range w.want.Objects {
		have := w.have.Objects[id]
		switch {
		case have == nil:
			if want.Tag != 0x22 || w.want.Objects[id-4] == nil ||
				w.want.Names[w.want.Objects[id-4].Class] != "java.lang.DexCache" {
				w.t.Errorf("the %s at %#x is not in the file", w.want.Names[want.Class], id)
			}
		case w.want.Names[want.Class] != "java.lang.DexCache" && !reflect.DeepEqual(have, want):
			w.t.Errorf("the %s at %#x is %+v, want %+v", w.want.Names[want.Class], id, have, want)
		}
	}
	if n := len(w.want.Objects) - len(w.caches); len(w.have.Objects) != n {
		w.t.Errorf("%d objects, want %d", len(w.have.Objects), n)
	}
}

func deleteField(fields []art.HprofValue, name string) (out []art.HprofValue) {
	for _, f := range fields {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return out
}

// resolved checks that what dex caches resolved is kept in our file without them.
func (w *hprofComparison) resolved() {
	kept := map[uint32]bool{}
	for _, list := range w.have.Roots {
		for _, id := range list {
			kept[id] = true
		}
	}
	for _, c := range w.have.Objects {
		for _, id := range c.Objects {
			kept[id] = kept[id] || c.Tag == 0x22 && w.have.Classes[id] != nil
		}
	}
	n := 0
	for _, id := range w.caches {
		for _, to := range w.want.Objects[id].Objects {
			if n++; !kept[to] {
				w.t.Errorf("a dex cache has resolved %s at %#x, which nothing else keeps", w.name(to), to)
			}
		}
	}
	if n == 0 {
		w.t.Error("no dex cache has resolved anything")
	}
}

// name returns the class with the id, or the class of the object with the id.
func (w *hprofComparison) name(id uint32) string {
	if o := w.want.Objects[id]; o != nil {
		return w.want.Names[o.Class]
	}
	return "class " + w.want.Names[id]
}

// Tags of roots; frame stands for the native stack, too.
const (
	tagFrame       = 0x03
	tagNativeStack = 0x04
	tagSticky      = 0x05
	tagInternal    = 0x8d
	tagUnknown     = 0xff
)

func (w *hprofComparison) roots() {
	type root struct {
		tag byte
		id  uint32
	}
	more := map[root]int{} // in ours than in ART's
	count := func(roots map[byte][]uint32, n int) {
		for tag, list := range roots {
			if tag == tagNativeStack {
				tag = tagFrame
			}
			for _, id := range list {
				more[root{tag, id}] += n
			}
		}
	}
	count(w.have.Roots, 1)
	count(w.want.Roots, -1)
	sticky := map[uint32]bool{}
	for _, id := range w.have.Roots[tagSticky] {
		sticky[id] = true
	}
	for r, n := range more {
		name := w.name(r.id)
		switch {
		case n == 0:
		case n < 0 && r.tag == tagFrame && name == "class dalvik.system.VMDebug":
		case n == -1 && r.tag == tagFrame && name == "java.lang.String" && w.text(r.id) == hprofWitness:
		case n == -1 && r.tag == tagUnknown && w.a.ClassAt(core.Addr(r.id)).Primitive != object.NotPrimitive &&
			sticky[r.id]:
		case n == -1 && r.tag == tagInternal && w.marks(r.id):
		default:
			w.t.Errorf("%+d roots %#x of %s at %#x", n, r.tag, name, r.id)
		}
	}
}

func (w *hprofComparison) text(id uint32) string {
	s, err := w.a.String(core.Addr(id), 100)
	if err != nil {
		w.t.Error(err)
	}
	return s.Value
}

// marks reports whether an object is the one that a ClassExt has where there are no
// identifiers.
func (w *hprofComparison) marks(id uint32) bool {
	for _, o := range w.want.Objects {
		if w.want.Names[o.Class] != "dalvik.system.ClassExt" {
			continue
		}
		fields, err := w.want.Fields(o)
		if err != nil {
			w.t.Error(err)
		}
		for _, f := range fields {
			if f.Name == "jmethodIDs" && f.Bits == uint64(id) {
				return w.name(id) == "java.lang.Object"
			}
		}
	}
	return false
}
