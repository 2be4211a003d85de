package machocore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
)

// A resolver finds the files of the images of a process, and says what is true of these. It is safe for
// concurrent use after the process was opened.
type resolver struct {
	cputype     uint32
	opt         Options
	p           *core.Process
	opened      file.Set
	headerBytes uint64   // of load commands of images that were read
	list        []listed // the images of the process
	usedCaches
	binder
}

// module makes a module of a listed image, and the gaps in memory that are left
// where the core has nothing of it. An image whose header is not in the core is opened here,
// because nothing else says where it lies; the others when they are asked for.
func (r *resolver) module(i listed, starts []core.Addr) (*core.Module, []core.Segment) {
	img := r.memoryImage(i.load)
	m := core.Module{Path: i.path, Origin: i.from}
	var facts core.ModuleFacts
	layout := img
	if img != nil {
		if len(i.uuid) == 0 || len(img.UUID()) != 0 {
			i.uuid = img.UUID()
		}
		if i.path == "" {
			i.path = img.ID()
		}
		m.Path = i.path
		m.Exe = img.Header().FileType == format.MHExecute
		facts = core.ModuleFacts{BuildID: i.uuid, Bias: img.Slide(), BiasKnown: true, Image: img, InMemory: true}
		if damage := img.Damage(); damage != nil {
			r.p.Warn(fmt.Sprintf("image at %v", i.load), damage.Error())
		}
	} else {
		var file *macho.File
		file, facts = r.fileFacts(m.Path, i)
		if file != nil {
			layout, m.Exe = file, file.Header().FileType == format.MHExecute
		}
	}
	if m.Path == "" {
		m.Path = fmt.Sprintf("[image at %v]", i.load)
	}
	m.Start, m.End = i.load, i.load+1
	var gaps []core.Segment
	if layout != nil {
		m.Parts, m.Start, m.End = layout.Parts(facts.Bias, i.load)
		gaps = layout.Gaps(facts.Bias)
	} else if part, ok := i.text(starts); ok {
		m.Parts, m.End = []core.ModulePart{part}, part.End
		gaps = []core.Segment{{Start: part.Start, End: part.End, Prot: core.Read | core.Exec, Gap: core.NotDumped}}
	}
	if img == nil {
		return core.NewModule(m, func(*core.Module) core.ModuleFacts { return facts }), gaps
	}
	return core.NewModule(m, func(m *core.Module) core.ModuleFacts { return r.withFile(m, i, facts) }), gaps
}

// maxHeaders bounds the load commands in bytes that are read of all images of a
// process; 3,000 images of macOS have 12 MB.
const maxHeaders = 128 << 20

// memoryImage returns the image whose header is at an address in memory; nil if there is no header.
func (r *resolver) memoryImage(at core.Addr) *macho.File {
	if r.headerBytes > maxHeaders {
		return nil
	}
	img := macho.NewMemoryFile(r.p.Space.Dumped(), at)
	if img != nil {
		r.headerBytes += uint64(min(img.Header().SizeOfCmds, macho.MaxHeader))
	}
	return img
}

// fileFacts opens the file of an image that the core does not hold, or finds it in
// a file of the shared cache.
func (r *resolver) fileFacts(path string, i listed) (*macho.File, core.ModuleFacts) {
	facts := core.ModuleFacts{BuildID: i.uuid}
	file, err := r.openFile(path, i.uuid, false, r.opt.Exe != "")
	facts.Err = err
	if file == nil {
		cached, why := r.fromCache(i, path)
		if cached == nil {
			facts.Err = errors.Join(err, why)
			return nil, facts
		}
		file, facts.Err = cached, nil
	}
	if !file.HasText() {
		facts.Err = errors.Join(err, fmt.Errorf("%s: it has no __TEXT segment", file.Path()))
		return nil, facts
	}
	facts.Err = errors.Join(facts.Err, damageAt(file))
	facts.Image, facts.Bias, facts.BiasKnown = file, i.load-core.Addr(file.Base()), true
	if len(i.uuid) == 0 {
		facts.BuildID, facts.Unproven = file.UUID(), "the core does not record the UUID"
	}
	return file, facts
}

// withFile prefers the file of an image to the core's memory, if the UUID proves it, or the files of
// the shared cache: an image there has lost its local symbols.
func (r *resolver) withFile(m *core.Module, i listed, facts core.ModuleFacts) core.ModuleFacts {
	img := facts.Image.(*macho.File)
	file, err := r.openFile(i.path, i.uuid, m.Exe, m.Exe && r.opt.Exe != "")
	facts.Err = err
	if file != nil && len(i.uuid) > 0 && sameLayout(file, img) {
		facts.Image, facts.InMemory, facts.Err = file, false, errors.Join(err, damageAt(file))
		return facts
	}
	if file != nil && len(i.uuid) > 0 {
		facts.Err = errors.Join(err, fmt.Errorf("%s: its segments have other addresses than in memory", file.Path()))
	}
	if !img.InSharedCache() {
		if errors.Is(err, errAbsent) && img.Whole() {
			facts.Err = damageAt(img) // nothing that the file has is missing
		}
		return facts
	}
	cached, why := r.fromCache(i, m.Path)
	if cached != nil && sameLayout(cached, img) {
		facts.Image, facts.InMemory, facts.Err = cached, false, nil
		return facts
	}
	r.withLocals(img, i.load)
	if r.caches().locals == nil {
		facts.Err = errors.Join(facts.Err, why)
	}
	return facts
}

// damageAt says which headers of an image cannot be read; nil if all can.
func damageAt(f *macho.File) error {
	if f.Damage() == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.Path(), f.Damage())
}

// sameLayout reports whether two images have their segments at the same link-time addresses. The cache
// has laid out its images anew.
func sameLayout(a, b *macho.File) bool {
	return slices.EqualFunc(a.Segments(), b.Segments(), func(x, y core.ImageSegment) bool { return x.Addr == y.Addr })
}

// openFile looks for the file of an image; the one that the user named for the
// executable comes first, if its UUID is the one that was loaded. An image whose path
// is not known is looked for by its UUID. Exe says that the image is known to be the
// executable; else what is wrong with the named one is reported for one of its name only.
func (r *resolver) openFile(path string, uuid []byte, exe, named bool) (*macho.File, error) {
	var errs []error
	if r.opt.Files == nil || path == "" && len(uuid) == 0 {
		return nil, nil
	}
	var tries []string
	if named && len(uuid) > 0 {
		tries = append(tries, r.opt.Exe)
	}
	for i, try := range append(tries, path) {
		src, from, refused := r.lookup(try, uuid)
		if i == len(tries) || exe || filepath.Base(try) == filepath.Base(path) {
			errs = append(errs, refused...)
		}
		if src == nil {
			continue
		}
		r.opened.Add(src)
		f, err := macho.NewFile(src, from, r.cputype, uuid)
		return f, errors.Join(append(errs, err)...)
	}
	switch {
	case path == "" && len(errs) == 0:
		return nil, fmt.Errorf("an image whose path is not known: %w with its UUID %s", errAbsent,
			macho.UUIDString(uuid))
	case len(errs) == 0:
		return nil, fmt.Errorf("%s: %w", path, errAbsent)
	}
	return nil, errors.Join(errs...)
}

// errAbsent says that an image's file was not found, and no other one in its place.
var errAbsent = errors.New("no such file")

// lookup finds a file of the process, or the executable that the user named, which
// is first looked for at its path, wherever that is.
func (r *resolver) lookup(path string, uuid []byte) (core.Source, string, []error) {
	var errs []error
	if path == r.opt.Exe {
		src, from, refused := file.Named(path,
			func(src core.Source) error { return macho.Check(src, path, r.cputype, uuid) })
		if src != nil {
			return src, from, refused
		}
		errs = refused
	}
	got := r.opt.Files.Find(context.Background(), macho.Want(path, r.cputype, uuid))
	return got.Source, got.From, append(errs, got.Refused...)
}

// checkExe warns at once if the executable that the user named is not the one of the
// process.
func (r *resolver) checkExe() {
	if r.opt.Exe == "" {
		return
	}
	known := false
	for _, m := range r.p.Modules {
		if !m.Exe {
			continue
		}
		known = true
		if f := m.Facts(); f.Err != nil && (f.Image == nil || f.Image.Path() != r.opt.Exe) {
			r.p.Warn(core.PlaceExecutable, strings.ReplaceAll(f.Err.Error(), "\n", "; "))
		}
	}
	if !known && len(r.p.Modules) > 0 {
		r.p.Warn(core.PlaceExecutable, fmt.Sprintf("%s: the process has no image with its UUID", r.opt.Exe))
	}
}
