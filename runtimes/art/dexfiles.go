package art

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// Bounds on what is listed.
const (
	maxDexFiles = 1 << 16
	maxFoundDex = 1 << 12
)

// DexFiles returns the dex files that the class linker knows, in its order, and
// behind them those found in memory which none of these is: they have no Addr.
// The error says what the list may lack; it comes with the list.
func (a *ART) DexFiles(ctx context.Context) ([]*DexFile, error) {
	known, err := a.knownDexFiles()
	found, scanErr := a.findDex(ctx, known)
	if err == nil {
		err = scanErr
	}
	return append(known, found...), err
}

// knownDexFiles follows ClassLinker.dex_caches_: until Android 12 a
// std::list<DexCacheData>, since 13 a std::unordered_map<const DexFile*,
// DexCacheData> (runtime/class_linker.h).
func (a *ART) knownDexFiles() ([]*DexFile, error) {
	l := a.layout
	linker, ok := a.pointer(a.fit.runtime.Add(int64(l.Runtime.ClassLinker)))
	if a.fit.runtime == 0 || !ok || linker == 0 || l.ClassLinker.DexCaches == Unknown {
		return nil, fmt.Errorf("art: the class linker was not found")
	}
	word := core.Addr(a.ptr)
	head := linker.Add(int64(l.ClassLinker.DexCaches))
	at, value := head, 3*word // list: two links, the weak root, the DexFile
	switch {
	case l.SDK >= 37:
		return nil, fmt.Errorf("art: the form of ClassLinker.dex_caches_ is not known for %v", l)
	case l.SDK >= 33:
		// unordered_map: buckets and their number come before the first node.
		// A node of libstdc++ has a link and the pair; of libc++ the hash too.
		at, value = head+2*word, word
		if l.Library == LibCxx {
			value = 2 * word
		}
	}
	var list []*DexFile
	seen := map[core.Addr]bool{}
	for {
		next, ok := a.pointer(at)
		if !ok || len(list) > maxDexFiles {
			return list, fmt.Errorf("art: ClassLinker.dex_caches_ breaks off at %v after %d dex files", at, len(list))
		}
		if next == 0 || next == head || seen[next] {
			break
		}
		seen[next] = true
		at = next
		if d, ok := a.pointer(at + value); ok && d != 0 {
			list = append(list, a.DexFileAt(d))
		}
	}
	if l.SDK >= 33 { // in no order of its own
		slices.SortStableFunc(list, func(x, y *DexFile) int { return cmp.Compare(x.Begin, y.Begin) })
	}
	return list, nil
}

// dexMagics are how dex files begin; see dex.Magic.
var dexMagics = [][]byte{[]byte("dex\n0"), []byte("cdex0")}

// findDex looks for dex files in memory that known has not.
func (a *ART) findDex(ctx context.Context, known []*DexFile) ([]*DexFile, error) {
	have := map[core.Addr]bool{}
	for _, d := range known {
		have[d.Begin] = true
	}
	var found []*DexFile
	for _, s := range a.space.Segments() {
		if s.Kind == core.SegZero || s.Kind == core.SegGap {
			continue
		}
		for at := s.Start; at < s.End; {
			if err := ctx.Err(); err != nil {
				return found, err
			}
			w, err := a.space.Window(at)
			if err != nil || len(w) == 0 {
				break
			}
			w = w[:min(uint64(len(w)), uint64(s.End-at), 64<<20)]
			for _, begin := range a.dexIn(w, at) {
				if have[begin] {
					continue
				}
				have[begin] = true
				if len(found) == maxFoundDex {
					return found, fmt.Errorf("art: more than %d dex files are in memory; the others are left out", maxFoundDex)
				}
				if d := a.foundDex(begin); d != nil {
					found = append(found, d)
				}
			}
			at += core.Addr(len(w))
		}
	}
	slices.SortFunc(found, func(x, y *DexFile) int { return cmp.Compare(x.Begin, y.Begin) })
	return found, nil
}

// dexIn returns the addresses within the bytes of memory at a that look like a
// dex file's beginning. Headers are aligned to four bytes.
func (a *ART) dexIn(w []byte, at core.Addr) []core.Addr {
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

// foundDex opens a dex file found in memory; nil if it is none: the magic alone
// is also in libart's text and in strings.
func (a *ART) foundDex(begin core.Addr) *DexFile {
	f, err := dex.Open(a.space, begin)
	if err != nil || f.FileSize < f.HeaderSize || f.MapOff == 0 || f.MapOff >= f.DataLimit || f.StringIDs.Size == 0 && f.ClassDefs.Size == 0 {
		return nil
	}
	if _, err := f.Type(0); err != nil {
		return nil
	}
	d := &DexFile{Begin: begin, Size: uint64(f.FileSize), Checksum: f.Checksum, File: f}
	if m, ok := a.process.Mapping(begin); ok {
		d.Location = m.Path
	}
	return d
}

// DexOf returns the dex file whose header or bytes an address is in, or which
// the art::DexFile at the address describes.
func (a *ART) DexOf(ctx context.Context, at core.Addr) (*DexFile, error) {
	list, err := a.DexFiles(ctx)
	for _, d := range list {
		if d.Addr == at && at != 0 || d.Begin == at {
			return d, nil
		}
	}
	for _, d := range list {
		if d.File != nil && d.File.Contains(at) || at-d.Begin < core.Addr(d.Size) {
			return d, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("art: no dex file is known at %v: %w", at, err)
	}
	return nil, fmt.Errorf("art: no dex file is at %v", at)
}
