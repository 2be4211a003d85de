package elfcore

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// A library may be stored in an archive: Android maps an app's libraries straight from its APK, where
// they are uncompressed and begin at a page's start (bionic, linker/linker.cpp,
// open_library_in_zipfile). The mapped file is the archive then. Each library in it is its own image
// and begins at its own ELF header.

// An inside is the place of an image in the file that was mapped.
type inside struct {
	file string // the archive's path; "" if the image is the file
	elf.Entry
}

// path is what the module of the image is called.
func (in inside) path() string {
	if in.Name == "" {
		return fmt.Sprintf("%s!%#x", in.file, in.Off)
	}
	return in.file + "!" + in.Name
}

// splitArchive returns the image that a dynamic linker calls "archive!/entry".
func splitArchive(name string) (inside, bool) {
	file, entry, ok := strings.Cut(name, "!/")
	return inside{file: file, Entry: elf.Entry{Name: path.Base(entry)}}, ok && file != "" && entry != ""
}

// data returns the file that the process had at a path, if prove accepts it.
func (r *resolver) data(name string, prove func(core.Source) error) (core.Source, string, []error) {
	return r.find(find.Want{Kind: find.Data, Path: name, Check: prove})
}

// insideFile returns the image in as a file of its own, out of the archive or extracted from it. It
// checks the build-id unless id is empty.
func (r *resolver) insideFile(in inside, id []byte) (core.Source, string, []error) {
	src, from, refused := r.data(in.file, func(src core.Source) error {
		if in.Off == 0 {
			all, err := elf.Stored(src)
			i := slices.IndexFunc(all, func(e elf.Entry) bool { return e.Name == in.Name })
			if err != nil || i < 0 {
				return fmt.Errorf("%s: not stored in it", in.path())
			}
			in.Entry = all[i]
		}
		return elf.CheckBuildID(in.In(src), in.path(), id)
	})
	if src != nil {
		return in.In(src), from + strings.TrimPrefix(in.path(), in.file), refused
	}
	if in.Name == "" {
		return nil, "", refused
	}
	name := "/" + in.Name
	if abi := abiFolders[r.p.Arch]; abi != "" && len(id) > 0 {
		name = "/lib/" + abi + name
	}
	src, from, more := r.find(find.Want{Kind: find.Image, Path: name, ID: id})
	return src, from, append(refused, more...)
}

// abiFolders are the folders below lib that an APK has libraries in, by their ABI
// (Android NDK guides, "Android ABIs").
var abiFolders = map[*core.Arch]string{
	core.AMD64: "x86_64", core.I386: "x86", core.ARM64: "arm64-v8a", core.ARM: "armeabi-v7a", core.RISCV64: "riscv64",
}
