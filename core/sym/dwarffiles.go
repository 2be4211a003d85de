package sym

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// dwarfFiles opens the files that a module's debugging information leads to; it implements
// dwarf.Files.
type dwarfFiles struct {
	*files
	order binary.ByteOrder
}

var (
	errNotLooked = errors.New("it is not looked for")
	errNotThere  = errors.New("it is not there")
	errNotSplit  = errors.New("no file of split debugging information")
)

// first opens the first of the files that is there and passes check.
func (f dwarfFiles) first(check func(core.Source) error, paths ...string) (core.Image, error) {
	if f.find == nil {
		return nil, errNotLooked
	}
	var refused []error
	for _, p := range paths {
		got := f.find.Find(context.Background(), find.Want{Kind: find.Data, Path: p, Check: check})
		if got.Source == nil {
			refused = append(refused, got.Refused...)
			continue
		}
		f.opened.add(got.Source)
		return elf.NewFile(got.Source, got.From)
	}
	if len(refused) > 0 {
		return nil, errors.Join(refused...)
	}
	return nil, errNotThere
}

// Split implements dwarf.Files: the file is where the compiler had it, or in the image's folder.
func (f dwarfFiles) Split(dir, name string) (core.Image, error) {
	at := name
	if !path.IsAbs(at) {
		at = path.Join(dir, name)
	}
	return f.first(isSplit, at, filepath.Join(filepath.Dir(f.image.Path()), path.Base(name)))
}

// isSplit refuses a file without the sections of split DWARF: its path comes from the program.
func isSplit(src core.Source) error {
	i, err := elf.NewFile(src, "")
	if err != nil {
		return err
	}
	for _, name := range []string{".debug_info.dwo", ".debug_types.dwo", ".debug_cu_index"} {
		if _, err := i.Section(name); err == nil {
			return nil
		}
	}
	return errNotSplit
}

// Package implements dwarf.Files: the file has the name of the image's, or of its debug file,
// with ".dwp" after it, or in place of that file's ".debug".
func (f dwarfFiles) Package() (core.Image, error) {
	var paths []string
	for _, i := range []core.Image{f.image, f.debug} {
		if i == nil || i.Path() == "" {
			continue
		}
		paths = append(paths, i.Path()+".dwp")
		if base, ok := strings.CutSuffix(i.Path(), ".debug"); ok {
			paths = append(paths, base+".dwp")
		}
	}
	img, err := f.first(isSplit, paths...)
	if errors.Is(err, errNotThere) || errors.Is(err, errNotLooked) {
		return nil, nil
	}
	return img, err
}

// Supplement implements dwarf.Files: the file is where the link leads to from the image's or its
// debug file's folder, or where debug files are.
func (f dwarfFiles) Supplement(name string, id []byte) (core.Image, error) {
	check := func(src core.Source) error {
		i, err := elf.NewFile(src, "")
		if err != nil {
			return err
		}
		have := cmp.Or(string(i.BuildID()), string(dwarf.Checksum(i, f.order)))
		if have != string(id) && !bytes.Equal(dwarf.Checksum(i, f.order), id) {
			return fmt.Errorf("another file: its build-id is %s, and %s is meant", core.BuildIDString([]byte(have)),
				core.BuildIDString(id))
		}
		return nil
	}
	from := f.lineImage().Path()
	at := name
	if !path.IsAbs(at) {
		at = path.Join(filepath.ToSlash(filepath.Dir(from)), name)
	}
	img, err := f.first(check, at, filepath.Join(filepath.Dir(from), path.Base(name)))
	if err == nil || f.find == nil {
		return img, err
	}
	got := f.find.Find(context.Background(), find.Want{Kind: find.Debug, Path: at, ID: id,
		Link: path.Base(name), Near: from,
		AllowRemote: f.allowRemote})
	if got.Source == nil {
		return nil, err
	}
	f.opened.add(got.Source)
	return elf.NewFile(got.Source, got.From)
}
