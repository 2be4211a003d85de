package heap

import (
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/object"
)

// Where an OopStorage and its parts have their members (share/gc/shared/oopStorage.hpp, JDK 11 to 25): a
// storage its name and its ActiveArray, which has a count of blocks at 8, and the blocks from 24 on. A block
// has 64 references, a mask of the used ones, and the storage that owns it.
const (
	storageArray = 8
	arrayCount   = 8
	arrayBlocks  = 24
	blockRefs    = 64
	blockMask    = 8 * blockRefs
	blockOwner   = blockMask + 8
	maxStorage   = 1 << 20
	maxStorages  = 32
	maxScan      = 16 << 20 // bytes of libjvm's data
)

// The names of the storages whose references are strong. Others are weak, or belong to threads, which are
// roots by themselves.
const (
	jniGlobal = "JNI Global"
	vmGlobal  = "VM Global"
)

// storages visits the global references of JNI and of the virtual machine itself, such as exceptions that were made in
// advance. The tables have JNI's storage alone: the other one is near it in OopStorageSet::_storages, an array in
// libjvm's data. That a block names its storage is the proof of the layout, which the tables do not say.
func (s *Source) storages(visit func(graph.Root)) {
	w := s.h.w
	at, ok := w.StaticAt("JNIHandles._global_handles")
	c := w.Process.Cursor()
	first := c.Pointer(at)
	if w.StaticType("JNIHandles._global_handles") == "JNIHandleBlock*" { // before JDK 11
		s.statics(visit)
		if c.Err() != nil || !s.handles(first, graph.Root{Kind: RootJNIGlobal, Rank: graph.Lasting}, visit) {
			s.lack("JNI's global references cannot be read")
		}
		return
	}
	if !ok || c.Err() != nil || w.storageName(first) == "" {
		s.lack("JNI's global references are not where they are known to be")
		return
	}
	s.storage(first, RootJNIGlobal, graph.Lasting, visit)
	if x := w.storageNamed(vmGlobal, first); x != 0 {
		s.storage(x, RootVMGlobal, graph.Engine, visit)
		return
	}
	if s.statics(visit) == 0 {
		s.lack("the virtual machine's own references were not found")
	}
}

// statics visits the static members of the virtual machine that the tables have and that refer to objects:
// Universe::_main_thread_group and the like. Before JDK 15 they are not in a storage. It returns their number.
func (s *Source) statics(visit func(graph.Root)) (n int) {
	w := s.h.w
	c := w.Process.Cursor()
	for _, name := range w.StaticsOf("oop") {
		at, _ := w.StaticAt(name)
		if to := c.Pointer(at); c.Reset() == nil && to != 0 && s.h.Space(to) != nil {
			visit(graph.Root{Kind: RootVMGlobal, Name: strings.Replace(name, ".", "::", 1), Place: at,
				Rank: graph.Engine, Target: to})
			n++
		}
	}
	return n
}

// dataWords visits the words of libjvm's data that are addresses of objects, where the virtual machine has
// static members that its tables do not have: exceptions that were made in advance, and others.
func (s *Source) dataWords(reached func(core.Addr) bool, visit func(graph.Root)) {
	w := s.h.w
	if len(w.StaticsOf("oop")) == 0 {
		return // they are in a storage
	}
	for _, m := range w.nearData() {
		for at := m.Start; at+8 <= m.End; {
			b, err := w.Process.Space.Window(at)
			if err != nil || len(b) < 8 {
				at = (at + core.TracePage) &^ (core.TracePage - 1)
				continue
			}
			for b = b[:min(len(b), int(m.End-at))]; len(b) >= 8; b, at = b[8:], at+8 {
				to := core.Addr(w.Process.Arch.Order.Uint64(b))
				if to%object.Alignment != 0 || s.h.Space(to) == nil || reached(to) {
					continue
				}
				if _, err := w.Object(to); err == nil {
					visit(graph.Root{Kind: RootVMGlobal, Name: "a word of libjvm's data", Place: at,
						Strength: graph.Stacked, Rank: graph.Engine, Target: to})
				}
			}
		}
	}
}

// storageName returns the name of an OopStorage; "" if no storage is there.
func (w *Walker) storageName(storage core.Addr) string {
	c := w.Process.Cursor()
	name := c.CString(c.Pointer(storage), 64)
	n := c.U64(c.Pointer(storage+storageArray) + arrayCount)
	if storage == 0 || c.Err() != nil || n > maxStorage {
		return ""
	}
	return name
}

// storageNamed returns the storage of a name in the array of all storages, which it finds by one of them; 0
// if there is none.
func (w *Walker) storageNamed(name string, one core.Addr) core.Addr {
	for _, s := range w.nearData() {
		for at := s.Start; at+16 <= s.End; {
			b, err := w.Process.Space.Window(at)
			if err != nil || len(b) < 8 {
				at = (at + core.TracePage) &^ (core.TracePage - 1)
				continue
			}
			for b = b[:min(len(b), int(s.End-at))]; len(b) >= 8; b, at = b[8:], at+8 {
				if core.Addr(w.Process.Arch.Order.Uint64(b)) != one {
					continue
				}
				all := w.storagesAt(at)
				if i := slices.IndexFunc(all, func(x core.Addr) bool { return w.storageName(x) == name }); i >= 0 {
					return all[i]
				}
			}
		}
	}
	return 0
}

// storagesAt returns the storages of the array that has an element at an address.
func (w *Walker) storagesAt(at core.Addr) (out []core.Addr) {
	c := w.Process.Cursor()
	for range maxStorages {
		if x := c.Pointer(at - 8); c.Err() != nil || w.storageName(x) == "" {
			break
		}
		at -= 8
	}
	c.Reset()
	for range maxStorages {
		x := c.Pointer(at)
		if c.Err() != nil || w.storageName(x) == "" {
			break
		}
		out = append(out, x)
		at += 8
	}
	return out
}

// nearData returns the memory near the static members that the tables name, which libjvm's data has.
func (w *Walker) nearData() (out []core.Segment) {
	at, _ := w.StaticAt("JNIHandles._global_handles")
	for _, s := range w.Process.Space.Segments() {
		near := s.Start < at+maxScan && s.End+maxScan > at
		if near && s.Prot&core.Write != 0 && uint64(s.End-s.Start) <= maxScan {
			out = append(out, core.Segment{Start: (s.Start + 7) &^ 7, End: s.End})
		}
	}
	return out
}

// storage visits the references of a storage.
func (s *Source) storage(storage core.Addr, kind string, rank graph.Rank, visit func(graph.Root)) {
	c := s.h.w.Process.Cursor()
	array := c.Pointer(storage + storageArray)
	for i := range c.U64(array + arrayCount) {
		block := c.Pointer(array + core.Addr(arrayBlocks+8*i))
		mask, owner := c.U64(block+blockMask), c.Pointer(block+blockOwner)
		if c.Reset() != nil || owner != storage {
			s.lack("block %d of %s cannot be read", i, s.h.w.storageName(storage))
			return
		}
		for k := range blockRefs {
			at := block + core.Addr(8*k)
			if mask>>k&1 == 0 {
				continue
			}
			if to, ok := s.h.w.Slot(at); ok && to != 0 {
				visit(graph.Root{Kind: kind, Name: strconv.Itoa(int(i)*blockRefs + k), Place: at,
					Rank: rank, Target: to})
			}
		}
	}
}
