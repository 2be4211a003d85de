package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
)

// maxSource bounds the size in bytes of a file of source.
const maxSource = 64 << 20

// sourceEnds are the ends of the names of source files. Debugging information may name any file
// of this machine, and most secrets have another name.
var sourceEnds = strings.Fields(`.c .h .cc .hh .cpp .hpp .cxx .hxx .c++ .h++ .inl .inc .ipp .tcc .tpp .ixx .cppm .def .td .cu .cuh .m .mm .swift .go
	.rs .zig .nim .d .di .s .asm .sx .y .yy .l .ll .f .for .f90 .f95 .f03 .f08 .adb .ads .pas .pp .hs .lhs .ml .mli .mll .mly .v .vala .vapi .cr .odin .jai .e .java .kt .cs .tq`)

// systemSources are folders of this machine where compilers and libraries have their sources.
var systemSources = []string{"/usr/include", "/usr/local/include", "/usr/lib", "/usr/local/lib", "/usr/src",
	"/usr/local/go", "/usr/share"}

// sourceFolders returns where a source file of the code at an address may be without being
// named by the user: where the program is, where the code was compiled, and where
// systems have sources.
func (s *Target) sourceFolders(at core.Addr, name string) []string {
	if !slices.Contains(sourceEnds, strings.ToLower(path.Ext(name))) {
		return systemSources
	}
	dirs := slices.Concat(s.Symbols.Folders(at), systemSources)
	if path.IsAbs(s.Process.Exe) {
		dirs = append(dirs, path.Dir(path.Clean(s.Process.Exe)))
	}
	return dirs
}

// SourceLines returns the lines of a file that a compiler read for the code at an address.
// Nothing proves that it is the version that was compiled, unless it comes from a server,
// which is asked by the module's build-id. So it may only be where the program and the
// compiler were, or where the user says.
func (s *Target) SourceLines(ctx context.Context, at core.Addr, name string) ([][]byte, error) {
	if s.Files == nil {
		return nil, errors.New("no files are looked for")
	}
	w := find.Want{Kind: find.Data, Path: name, AllowRemote: true, Within: s.sourceFolders(at, name)}
	if m := s.Process.Module(at); m != nil {
		w.ID = m.Facts().BuildID
	}
	got := s.Files.Find(ctx, w)
	if got.Source == nil {
		if len(got.Refused) > 0 {
			return nil, errors.Join(got.Refused...)
		}
		return nil, errors.New("the file is not there (-search FOLDER, -sysroot FOLDER)")
	}
	defer got.Source.Close()
	size := got.Source.Size()
	if size > maxSource {
		return nil, fmt.Errorf("%d bytes are too many", size)
	}
	lent, err := core.SourceSlice(got.Source, 0, int(size))
	if err != nil {
		return nil, err
	}
	data := bytes.Clone(lent)
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")), nil
}
