package elfcore

import (
	"cmp"
	"context"
	stdelf "debug/elf"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/file"
	"coredbg/core/find"
)

// A resolver finds the files of modules, and says what is true of these. It is safe for concurrent
// use after the process was opened.
type resolver struct {
	format.Class
	machine stdelf.Machine
	opt     Options
	p       *core.Process
	opened  file.Set
}

// memoryImage returns the module's image as the core's memory has it, or nil.
func (r *resolver) memoryImage(f *found) *elf.File {
	if f.image != nil {
		return f.image
	}
	mem := r.p.Space.Dumped()
	if f.hasBase {
		if img, err := elf.NewMemoryFile(mem, f.base); err == nil && img.Header().Class == r.Class {
			return img
		}
	}
	if f.phdrAt != 0 {
		n, _ := r.p.AuxValue(atPHNUM)
		size, _ := r.p.AuxValue(atPHENT)
		return elf.NewMemoryProgs(mem, r.Class, r.machine, f.phdrAt, size, n)
	}
	return nil
}

// resolve finds a module's file and facts. It reads through the dumped space only: filling a gap waits
// for its result.
func (r *resolver) resolve(m *core.Module, f *found) core.ModuleFacts {
	img := r.memoryImage(f)
	facts := core.ModuleFacts{BuildID: f.id}
	if img != nil && img.HasProgs() {
		if id := img.BuildID(); len(id) > 0 || len(f.id) == 0 {
			facts.BuildID = id
		}
		facts.Bias, facts.BiasKnown = img.Bias(), true
	}
	if m.Path == "[vdso]" {
		if img != nil {
			facts.Image, facts.InMemory = img, true
		} else {
			facts.Err = fmt.Errorf("%s: the core does not hold it", format.Quote(m.Path))
		}
		return facts
	}
	ok, err := r.fromDisk(m, f, img, &facts)
	f.refused = err
	if ok {
		return facts
	}
	facts.Err = err
	if img != nil && img.HasProgs() {
		facts.Image, facts.InMemory = img, true
	}
	return facts
}

// fromDisk sets facts from the module's file, if it is found and is the one that was loaded.
func (r *resolver) fromDisk(m *core.Module, f *found, img *elf.File, facts *core.ModuleFacts) (bool, error) {
	var errs []error
	paths := []string{m.Path}
	if m.Exe && r.opt.Exe != "" && r.opt.Exe != m.Path {
		paths = []string{r.opt.Exe, m.Path}
	}
	for _, path := range paths {
		src, from, refused := r.lookup(path, facts.BuildID)
		if src == nil && f.in.file != "" && path == m.Path {
			src, from, refused = r.insideFile(f.in, facts.BuildID)
		}
		errs = append(errs, refused...)
		if src == nil && len(refused) == 0 && path == r.opt.Exe {
			errs = append(errs, fmt.Errorf("%s: no such file", format.Quote(path)))
		}
		if src == nil {
			continue
		}
		r.opened.Add(src)
		file, err := elf.NewFile(src, from)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		bias, unproven, err := r.agrees(f, img, file, facts.BuildID, m.Exe && path == r.opt.Exe)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
			continue
		}
		facts.Image, facts.Bias, facts.BiasKnown, facts.Unproven = file, bias, true, unproven
		if id := file.BuildID(); len(facts.BuildID) == 0 || elf.SameBuildID(id, facts.BuildID) {
			facts.BuildID = id
		}
		return true, errors.Join(errs...)
	}
	if len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s: no such file", format.Quote(m.Path)))
	}
	return false, errors.Join(errs...)
}

// lookup finds a file of the process, or the executable that the user named, which
// is nowhere but at its path.
func (r *resolver) lookup(path string, id []byte) (core.Source, string, []error) {
	if path != r.opt.Exe {
		return r.find(find.Want{Kind: find.Image, Path: path, Near: cmp.Or(r.opt.Exe, r.p.Exe), ID: id,
			AllowRemote: true})
	}
	return file.Named(path, func(src core.Source) error { return elf.CheckBuildID(src, path, id) })
}

// find asks for a file.
func (r *resolver) find(w find.Want) (src core.Source, from string, refused []error) {
	got := r.opt.Files.Find(context.Background(), w)
	return got.Source, got.From, got.Refused
}

var errLayout = errors.New("another file: its segments do not fit the mappings that the process had")

// agrees checks that a file is the one that was loaded, and returns the bias.
// Unproven says why it is taken for it without a build-id.
func (r *resolver) agrees(f *found, img, file *elf.File, id []byte,
	named bool) (bias core.Addr, unproven string, err error) {
	if !file.IsFor(r.Class, r.machine) {
		return 0, "", fmt.Errorf("another file: it is for %s, the process ran on %s", file.Machine(), r.p.Machine)
	}
	bias, fits := f.biasOf(file)
	if img != nil && img.HasProgs() && (!fits || bias != img.Bias()) {
		// The headers in memory say where the image is; the list of mappings
		// may be damaged.
		bias, fits = img.Bias(), img.SameProgs(file)
	}
	switch {
	case len(id) > 0:
		if !fits && img == nil {
			return 0, "", errLayout
		}
		return bias, "", nil
	case img != nil && img.HasProgs():
		if !img.SameProgs(file) {
			return 0, "", errors.New("another file: its program headers differ from the ones in memory")
		}
		return bias, "the image has no build-id; its program headers agree", nil
	case !fits:
		return 0, "", errLayout
	case !file.SameDynamic(r.p.Space.Dumped(), bias):
		return 0, "", errors.New("another file: its dynamic section is not the one in memory")
	case named:
		return bias, "the core does not record the build-id; it was named by the user, and its segments fit", nil
	}
	return bias, "the core does not record the build-id; its segments fit the mappings", nil
}
