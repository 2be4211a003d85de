package heap

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/code"
)

// DexFiles returns the dex files that the class linker knows, in its order, and
// after them those found in memory which none of these is: they have no Addr.
// The error says what the list may lack; it comes with the list.
func (w *Walker) DexFiles(ctx context.Context) ([]*code.DexFile, error) {
	list, err := w.KnownDexFiles()
	if err != nil {
		list = w.dexOfClasses(ctx, list)
	}
	found, scanErr := w.FoundDexFiles(ctx)
	if err == nil {
		err = scanErr
	}
	have := map[core.Addr]bool{}
	for _, d := range list {
		have[d.Begin] = true
	}
	for _, d := range found {
		if !have[d.Begin] {
			list = append(list, d)
		}
	}
	return list, err
}

// dexOfClasses adds the dex files of all classes that are loaded to a list.
func (w *Walker) dexOfClasses(ctx context.Context, list []*code.DexFile) []*code.DexFile {
	classes, _ := w.Classes(ctx)
	for _, k := range classes {
		at, why := w.DexFileOf(k.Addr, w.Layout)
		if why != "" || k.DexCache == 0 {
			continue
		}
		if d := w.DexFileAt(at); !slices.Contains(list, d) && len(list) < code.MaxDexFiles {
			list = append(list, d)
		}
	}
	return list
}

// DexOf returns the dex file whose header or bytes an address is in, or which
// the art::DexFile at the address describes.
func (w *Walker) DexOf(ctx context.Context, at core.Addr) (*code.DexFile, error) {
	list, err := w.DexFiles(ctx)
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
