package coredbg

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/elf"
	"coredbg/core/macho"
)

// loadMachO opens a core of macOS.
func loadMachO(src core.Source, path string, o Options) (*loaded, error) {
	d := machoDisk(o)
	p, err := macho.Open(src, path, macho.Options{Exe: o.Executable, Files: d})
	if err != nil {
		return nil, err
	}
	return &loaded{process: p, src: src, files: machoFiles{disk(o), d}}, nil
}

func machoDisk(o Options) *macho.Disk {
	return &macho.Disk{Sysroot: o.Sysroot, Search: o.Search, DebugDirs: o.DebugDirs}
}

// machoFiles finds the debug files of Mach-O images.
type machoFiles struct {
	elf.Disk
	macho *macho.Disk
}

// Debug finds dSYM bundles.
func (f machoFiles) Debug(id []byte, link string, crc uint32, near string) (core.Source, string, []error) {
	return f.macho.Debug(id, link, crc, near)
}

// Object finds the object files of debug maps.
func (f machoFiles) Object(path, near string) (core.Source, string, uint64, []error) {
	return f.macho.Object(path, near)
}

// openBundled opens the core of a bundle, of whichever system it is. The bundle's
// files come first; disk, if it is not nil, finds others.
func openBundled(b *bundle.Bundle, path string, o Options, from files) (*core.Process, files, error) {
	if _, err := b.Core().Window(0); err != nil {
		return nil, nil, fmt.Errorf("the core in it cannot be read: %w", err)
	}
	p, err := elf.Open(b.Core(), path, elf.Options{Exe: o.Executable, Files: from})
	if err == nil {
		p.Format = "bundle of an " + p.Format
	}
	if !errors.Is(err, core.ErrUnknownFormat) {
		return p, from, err
	}
	images := machoBundle{files: b, bundle: b}
	if from != files(b) {
		images.disk = machoDisk(o)
	}
	p, err = macho.Open(b.Core(), path, macho.Options{Exe: o.Executable, Files: images.images()})
	if err == nil {
		p.Format = "bundle of a " + p.Format
	}
	return p, images, err
}

// A machoBundle takes images and dSYM bundles from a bundle and, where it has
// none, from a disk.
type machoBundle struct {
	files
	bundle *bundle.Bundle
	disk   *macho.Disk // nil if the user named no place
}

// Debug finds dSYM bundles.
func (f machoBundle) Debug(id []byte, link string, crc uint32, near string) (core.Source, string, []error) {
	src, from, refused := f.bundle.Debug(id, link, crc, near)
	if src != nil || f.disk == nil {
		return src, from, refused
	}
	src, from, more := f.disk.Debug(id, link, crc, near)
	return src, from, append(refused, more...)
}

// Object finds the object files of debug maps.
func (f machoBundle) Object(path, near string) (core.Source, string, uint64, []error) {
	if src, from, modified := f.bundle.Object(path); src != nil || f.disk == nil {
		return src, from, modified, nil
	}
	return f.disk.Object(path, near)
}

// images returns the provider of images.
func (f machoBundle) images() macho.FileProvider { return machoImages(f) }

type machoImages machoBundle

// Lookup implements macho.FileProvider.
func (f machoImages) Lookup(path string, cputype uint32, uuid []byte) (core.Source, string, []error) {
	src, from, refused := f.bundle.Lookup(path, uuid)
	if src != nil || f.disk == nil {
		return src, from, refused
	}
	src, from, more := f.disk.Lookup(path, cputype, uuid)
	return src, from, append(refused, more...)
}
