package heap

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
)

// A JNIKind is a kind of JNI's references.
type JNIKind string

// The kinds.
const (
	JNILocal  JNIKind = "local"
	JNIGlobal JNIKind = "global"
	JNIWeak   JNIKind = "weak"
)

// A JNIRef is a reference that native code holds.
type JNIRef struct {
	Kind   JNIKind
	Index  int    // in its table
	Ref    uint64 // the jobject
	Object core.Addr
	// Cleared is set for a weak reference whose object is gone.
	Cleared bool
	Thread  *frame.Thread // of a local reference
}

// Bounds of JNI's tables: a global table has at most 51200 entries on Android, a
// local one may grow to megabytes.
const (
	maxJNIEntries = 1 << 22
	maxJNITables  = 32
	// lrtSmall is the entries of a LocalReferenceTable's first table.
	lrtSmall = 512 / 4
)

// JNIGlobals returns the global references and then the weak ones. The error
// says what could not be read; the others come with it.
func (w *Walker) JNIGlobals() ([]JNIRef, error) {
	vm, ok := w.Pointer(w.Runtime.Add(int64(w.Layout.Runtime.JavaVM)))
	if w.Runtime == 0 || !ok || vm == 0 {
		return nil, layout.ErrNoRuntime
	}
	l := &w.Layout.Mirror.JNI
	refs, err := w.irt(vm.Add(int64(l.Globals)), JNIGlobal)
	weak, err2 := w.irt(vm.Add(int64(l.WeakGlobals)), JNIWeak)
	if err == nil {
		err = err2
	}
	return append(refs, weak...), err
}

// JNILocals returns the local references of a thread: an IndirectReferenceTable
// until Android 13, a LocalReferenceTable since.
func (w *Walker) JNILocals(t *frame.Thread) ([]JNIRef, error) {
	env, ok := w.Pointer(t.Addr.Add(int64(w.Layout.Thread.JNIEnv)))
	if !ok || env == 0 {
		return nil, fmt.Errorf("art: thread %v has no JNIEnv", t.Addr)
	}
	table := env.Add(int64(w.Layout.Mirror.JNI.Locals))
	var refs []JNIRef
	var err error
	if w.Layout.Mirror.JNI.LRTTables != layout.Unknown {
		refs, err = w.lrt(table)
	} else {
		refs, err = w.irt(table, JNILocal)
	}
	for i := range refs {
		refs[i].Thread = t
	}
	return refs, err
}

// irt reads an IndirectReferenceTable: entries {serial, references…}. The serial names the reference in use.
func (w *Walker) irt(at core.Addr, kind JNIKind) ([]JNIRef, error) {
	l := &w.Layout.Mirror.JNI
	entries, ok1 := w.Pointer(at.Add(int64(l.Table)))
	top, ok2 := w.U32(at.Add(int64(l.TopIndex)))
	if !ok1 || !ok2 || top > maxJNIEntries {
		return nil, fmt.Errorf("art: the table of %s references at %v cannot be read", kind, at)
	}
	slots := uint32(l.EntrySize)/4 - 1
	// Kind in the two lowest bits, then the serial, then the index.
	serialBits := 2
	if slots == 1 {
		serialBits = 3
	}
	kinds := map[JNIKind]uint64{JNILocal: 1, JNIGlobal: 2, JNIWeak: 3}
	var out []JNIRef
	for i := range top {
		e := entries + core.Addr(i)*core.Addr(l.EntrySize)
		serial, ok := w.U32(e)
		slot := core.Addr(0)
		if slots > 1 {
			slot = core.Addr(min(serial, slots-1))
		}
		r, got := w.Ref(e + 4 + 4*slot)
		if !ok || !got {
			return out, fmt.Errorf("art: entry %d of the table of %s references at %v cannot be read", i, kind, entries)
		}
		if r == 0 {
			continue // a hole
		}
		ref := uint64(i)<<(2+serialBits) | uint64(serial)<<2 | kinds[kind]
		out = append(out, JNIRef{Kind: kind, Index: int(i), Ref: ref, Object: r, Cleared: kind == JNIWeak &&
			r == w.Sentinel()})
	}
	return out, nil
}

// lrt reads a LocalReferenceTable: one small table, or tables that double in size from the third on. Entries
// with bit 0 set are free. Entries with bit 1 set head the three references of a chunk that CheckJNI keeps, and
// name the live one.
func (w *Walker) lrt(at core.Addr) ([]JNIRef, error) {
	l := &w.Layout.Mirror.JNI
	top, ok1 := w.U32(at.Add(int64(l.LRTTop)))
	small, ok2 := w.Pointer(at.Add(int64(l.LRTSmall)))
	tables, ok3 := w.Pointer(at.Add(int64(l.LRTTables)))
	if !ok1 || !ok2 || !ok3 || top > maxJNIEntries {
		return nil, fmt.Errorf("art: the table of local references at %v cannot be read", at)
	}
	var out []JNIRef
	index := 0
	for n := 0; top > 0 && n < maxJNITables; n++ {
		table, size := small, top
		if small == 0 {
			var ok bool
			if table, ok = w.Pointer(tables + core.Addr(n*w.PtrSize)); !ok {
				return out, fmt.Errorf("art: table %d of local references at %v cannot be read", n, tables)
			}
			size = min(top, lrtSmall<<max(n-1, 0))
		}
		refs, err := w.lrtTable(table, size, index)
		if out = append(out, refs...); err != nil {
			return out, err
		}
		top -= size
		index += int(size)
	}
	return out, nil
}

func (w *Walker) lrtTable(table core.Addr, size uint32, index int) ([]JNIRef, error) {
	var out []JNIRef
	for i := uint32(0); i < size; i++ {
		e := table + core.Addr(4*i)
		v, ok := w.U32(e)
		if ok && i%4 == 0 && v&3 == 2 {
			e = table + core.Addr(4*(i+min(v>>2, 3)))
			i += 3
			v, ok = w.U32(e)
		}
		if !ok {
			return out, fmt.Errorf("art: entry %d of the local references at %v cannot be read", i, table)
		}
		if v&1 == 0 && v != 0 {
			out = append(out, JNIRef{Kind: JNILocal, Index: index + int(e-table)/4, Ref: uint64(e) | 1,
				Object: core.Addr(v)})
		}
	}
	return out, nil
}
