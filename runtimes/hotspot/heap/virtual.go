package heap

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
)

// maxVirtual bounds the virtual threads of a process.
const maxVirtual = 1 << 22

// virtualThreads are the virtual threads of a process.
type virtualThreads struct {
	list   []*frame.Thread
	err    error
	byTask map[*core.Thread]*frame.Thread
	byPeer map[core.Addr]*frame.Thread
}

// Virtual returns the virtual threads that live, by their numbers. The virtual machine has no list of them:
// the heap is walked, once, if the process has made a virtual thread. An error comes with the threads that
// could be found.
func (w *Walker) Virtual() ([]*frame.Thread, error) {
	v := w.virtual()
	return v.list, v.err
}

// VirtualThread returns the virtual thread whose java.lang.Thread is at an address; nil if there is no virtual thread.
func (w *Walker) VirtualThread(peer core.Addr) *frame.Thread { return w.virtual().byPeer[peer] }

// ThreadOf returns the thread that a thread of the core is, or the virtual thread that it stands for; nil if
// it is neither.
func (w *Walker) ThreadOf(t *core.Thread) *frame.Thread {
	if t.Task != nil {
		return w.virtual().byTask[t]
	}
	return w.Thread(t)
}

func (w *Walker) virtual() *virtualThreads {
	w.virtualOnce.Do(func() {
		v := &w.virtuals
		v.byTask, v.byPeer = map[*core.Thread]*frame.Thread{}, map[core.Addr]*frame.Thread{}
		made, err := w.madeVirtual()
		if err != nil || !made {
			v.err = err
			return
		}
		h, err := w.Heap()
		if err != nil {
			v.err = err
			return
		}
		var class *object.Class
		all := &walk{h: h}
		v.err = h.walk(context.Background(), all, func(o object.Object, _ uint64) bool {
			if class == nil && o.Class.Name == frame.VirtualClass {
				class = o.Class
			}
			if o.Class == class && class != nil {
				if t := w.Decoder.Virtual(o); t != nil {
					v.list = append(v.list, t)
				}
			}
			return len(v.list) < maxVirtual
		})
		if lost := all.problems(); v.err == nil && len(lost) > 0 {
			v.err = core.Unknown(errors.New("a part of the heap: " + strings.Join(lost, "; ")))
		}
		slices.SortFunc(v.list, func(x, y *frame.Thread) int {
			return cmp.Or(cmp.Compare(x.Number, y.Number), cmp.Compare(x.Addr, y.Addr))
		})
		for _, t := range v.list {
			v.byPeer[t.Peer] = t
			if t.Native != nil && t.Native.Task != nil {
				v.byTask[t.Native] = t
			}
		}
	})
	return &w.virtuals
}

// madeVirtual reports whether the process has made a virtual thread: the class of their continuations is
// initialised. The error says that the classes of the process are not known.
func (w *Walker) madeVirtual() (bool, error) {
	if w.Java() < 19 {
		return false, nil
	}
	all, err := w.Classes(context.Background())
	i, ok := slices.BinarySearchFunc(all, frame.VirtualClass+"$VThreadContinuation",
		func(k *object.Class, name string) int { return cmp.Compare(k.Name, name) })
	if !ok {
		return false, err
	}
	return all[i].State == "initialized", nil
}
