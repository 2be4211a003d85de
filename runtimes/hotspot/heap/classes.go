package heap

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A classList keeps the classes of a process.
type classList struct {
	once sync.Once
	// mirrored are the classes whose java.lang.Class is in the heap.
	mirrored []*object.Class

	byLoader sync.Once
	// loaded are the java.lang.Classes of each class loader.
	loaded map[core.Addr][]core.Addr
}

// maxMirrors bounds the classes that are found by their java.lang.Class.
const maxMirrors = 1 << 22

// Classes returns the classes of all loaders, by name and address. JDK 8's tables have no list of classes:
// there they are found by their java.lang.Class in the heap. With an error come the classes that could be
// read.
func (w *Walker) Classes(ctx context.Context) ([]*object.Class, error) {
	all, err := w.Decoder.Classes(ctx)
	if err == nil || len(all) > 0 {
		return all, err
	}
	w.classes.once.Do(func() { w.classes.mirrored = w.mirrored() })
	if len(w.classes.mirrored) == 0 {
		return nil, err
	}
	return w.classes.mirrored, ctx.Err()
}

// mirrored returns the classes whose java.lang.Class is in the heap, by name and address.
func (w *Walker) mirrored() (all []*object.Class) {
	h, err := w.Heap()
	if err != nil {
		return nil
	}
	_ = h.Walk(context.Background(), func(o object.Object, _ uint64) bool {
		if o.Class.IsMirror() {
			if k, _, ok := w.Mirrored(o); ok && k != nil && k.Mirror == o.Addr {
				all = append(all, k)
			}
		}
		return len(all) < maxMirrors
	})
	slices.SortFunc(all, func(x, y *object.Class) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name),
			cmp.Compare(x.Addr, y.Addr))
	})
	return all
}

// loadedBy returns the java.lang.Classes of the classes that a loader has; 0 is the virtual machine itself.
func (w *Walker) loadedBy(loader core.Addr) []core.Addr {
	w.classes.byLoader.Do(func() {
		w.classes.loaded = map[core.Addr][]core.Addr{}
		all, _ := w.Classes(context.Background())
		for _, k := range all {
			if k.Mirror != 0 && !k.Own {
				w.classes.loaded[k.Loader] = append(w.classes.loaded[k.Loader], k.Mirror)
			}
		}
	})
	return w.classes.loaded[loader]
}
