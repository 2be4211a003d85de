package code

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
)

// MaxDexFiles bounds the dex files of a process.
const MaxDexFiles = 1 << 16

// maxFoundDex bounds the dex files that are found in memory.
const maxFoundDex = 1 << 12

// MissingFiles returns an error for each dex file that the class linker knows and
// that neither the core nor a file on disk has.
func (ix *DexReader) MissingFiles() []error {
	list, _ := ix.KnownDexFiles()
	var out []error
	for _, d := range list {
		if d.File != nil {
			continue
		}
		gap := core.FileMissing
		if f := core.Fault(d.Err); f != nil && f.Gap != core.Unmapped && f.Gap != core.NotDumped {
			gap = f.Gap
		}
		out = append(out, &core.FaultError{Addr: d.Begin, Gap: gap, Detail: d.Location})
	}
	return out
}

// KnownDexFiles follows ClassLinker.dex_caches_: until Android 12 a
// std::list<DexCacheData>, since 13 a std::unordered_map<const DexFile*,
// DexCacheData> (runtime/class_linker.h).
func (ix *DexReader) KnownDexFiles() ([]*DexFile, error) {
	l := ix.Layout
	linker, ok := ix.Pointer(ix.Runtime.Add(int64(l.Runtime.ClassLinker)))
	if ix.Runtime == 0 || !ok || linker == 0 || l.ClassLinker.DexCaches == layout.Unknown {
		return nil, core.Unknown(errors.New("art: the class linker was not found"))
	}
	word := core.Addr(ix.PtrSize)
	head := linker.Add(int64(l.ClassLinker.DexCaches))
	at, value := head, 3*word // list: two links, the weak root, the DexFile
	switch {
	case l.SDK >= 37:
		return nil, fmt.Errorf("art: the form of ClassLinker.dex_caches_ is not known for %v", l)
	case l.SDK >= 33:
		// unordered_map: buckets and their number come before the first node.
		// A node of libstdc++ has a link and the pair; of libc++ the hash too.
		at, value = head+2*word, word
		if l.Library == layout.LibCxx {
			value = 2 * word
		}
	}
	var list []*DexFile
	seen := map[core.Addr]bool{}
	for {
		next, ok := ix.Pointer(at)
		if !ok || len(list) > MaxDexFiles {
			return list, fmt.Errorf("art: ClassLinker.dex_caches_ breaks off at %v after %d dex files", at, len(list))
		}
		if next == 0 || next == head || seen[next] {
			break
		}
		seen[next] = true
		at = next
		if d, ok := ix.Pointer(at + value); ok && d != 0 {
			list = append(list, ix.DexFileAt(d))
		}
	}
	if l.SDK >= 33 { // in no order of its own
		slices.SortStableFunc(list, func(x, y *DexFile) int { return cmp.Compare(x.Begin, y.Begin) })
	}
	return list, nil
}

// dexMagics are how dex files begin; see dex.Magic. They are no longer than the
// alignment, so that none lies across two pieces of memory.
var dexMagics = [][]byte{[]byte("dex\n"), []byte("cdex")}

// FoundDexFiles returns the dex files in memory, known or not, by address. It
// reads all of memory once.
func (ix *DexReader) FoundDexFiles(ctx context.Context) ([]*DexFile, error) {
	ix.dexes.mu.Lock()
	defer ix.dexes.mu.Unlock()
	if s := ix.dexes.scan; s != nil {
		return s.found, s.err
	}
	s := &dexScan{}
	s.err = ix.findDex(ctx, s)
	slices.SortFunc(s.found, func(x, y *DexFile) int { return cmp.Compare(x.Begin, y.Begin) })
	if ctx.Err() == nil {
		ix.dexes.scan = s
	}
	return s.found, s.err
}

// A dexScan is what looking through memory gave.
type dexScan struct {
	found []*DexFile
	err   error
}

// findDex looks for dex files in memory.
func (ix *DexReader) findDex(ctx context.Context, s *dexScan) error {
	for _, g := range ix.Space.Segments() {
		if g.Kind == core.SegZero || g.Kind == core.SegGap {
			continue
		}
		for at := g.Start; at < g.End; {
			if err := ctx.Err(); err != nil {
				return err
			}
			if at = g.NextData(at); at >= g.End {
				break
			}
			w, err := ix.Space.Window(at)
			if err != nil || len(w) == 0 {
				break
			}
			w = w[:min(uint64(len(w)), uint64(g.End-at), 64<<20)]
			for _, begin := range dexMagicsIn(w, at) {
				if len(s.found) == maxFoundDex {
					return fmt.Errorf("art: more than %d dex files are in memory; the others are left out", maxFoundDex)
				}
				if d := ix.foundDex(begin); d != nil {
					s.found = append(s.found, d)
				}
			}
			at += core.Addr(len(w))
		}
	}
	return nil
}

// dexMagicsIn returns the addresses within the bytes of memory at a that look
// like a dex file's beginning. Headers are aligned to four bytes.
func dexMagicsIn(w []byte, at core.Addr) []core.Addr {
	var list []core.Addr
	for _, magic := range dexMagics {
		for off := 0; len(list) < maxFoundDex; off++ {
			i := bytes.Index(w[off:], magic)
			if i < 0 {
				break
			}
			off += i
			if begin := at + core.Addr(off); begin%4 == 0 {
				list = append(list, begin)
			}
		}
	}
	return list
}

// foundDex opens a dex file found in memory; nil if it is not one: the magic alone
// is also in libart's text and in strings.
func (ix *DexReader) foundDex(begin core.Addr) *DexFile {
	f, err := dex.Open(ix.Space, begin)
	if err != nil || f.FileSize < f.HeaderSize || f.MapOff == 0 || f.MapOff >= f.DataLimit ||
		f.StringIDs.Size == 0 && f.ClassDefs.Size == 0 {
		return nil
	}
	if _, err := f.Type(0); err != nil {
		return nil
	}
	d := &DexFile{Begin: begin, Size: uint64(f.FileSize), Checksum: f.Checksum, File: f}
	if m, ok := ix.Process.Mapping(begin); ok {
		d.Location = m.Path
	}
	return d
}

// Prefetch opens the dex files of all classes, as names of objects need them; see
// runtimes.Prefetcher.
func (ix *DexReader) Prefetch(ctx context.Context) {
	ix.KnownDexFiles() // what cannot be opened cannot be copied
}
