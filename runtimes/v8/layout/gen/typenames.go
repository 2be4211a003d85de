package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/layout/gen/cxx"
)

// An elfMemory is what a file puts into memory.
type elfMemory struct{ *elf.File }

// ReadAt reads what the segment at a has in the file.
func (m elfMemory) ReadAt(p []byte, a core.Addr) (int, error) {
	for _, s := range m.Progs {
		if off := uint64(a) - s.Vaddr; s.Type == elf.PT_LOAD && uint64(a) >= s.Vaddr && off < s.Filesz {
			n := min(uint64(len(p)), s.Filesz-off)
			got, err := s.ReadAt(p[:n], int64(off))
			if err == nil && got < len(p) {
				err = &core.FaultError{Addr: a + core.Addr(got)}
			}
			return got, err
		}
	}
	return 0, &core.FaultError{Addr: a}
}

// ofTypes writes the list of the instance types that the code of a binary names.
func (o *options) ofTypes() error {
	f, err := elf.Open(o.types)
	if err != nil {
		return err
	}
	defer f.Close()
	local, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("%s: %w", o.types, err)
	}
	dynamic, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("%s: %w", o.types, err)
	}
	for _, s := range append(local, dynamic...) {
		if s.Name != layout.SymTypeName {
			continue
		}
		names := layout.TypesByCode(elfMemory{f}, core.Addr(s.Value))
		if names == nil {
			return fmt.Errorf("%s: %s cannot be followed", o.types, s.Name)
		}
		rows, from := table{}, filepath.Base(filepath.Dir(filepath.Dir(o.types)))
		for n, name := range names {
			rows.add(name, int64(n), cxx.Pos{File: from})
		}
		how := []string{fmt.Sprintf("V8 %s: the instance types that the code of %s names.", o.version, from)}
		return o.replace(o.version+".tsv", how, rows)
	}
	return fmt.Errorf("%s: no symbol %s", o.types, layout.SymTypeName)
}
