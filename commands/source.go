package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/find"
)

// maxSource bounds the size in bytes of a file of source.
const maxSource = 64 << 20

// SourceLines returns the lines of a file that a compiler read for a module, which may be nil.
// Nothing proves that it is the version that was compiled, unless it comes from a server,
// which is asked by the module's build-id.
func (s *Session) SourceLines(ctx context.Context, m *core.Module, path string) ([][]byte, error) {
	if s.Files == nil {
		return nil, errors.New("no files are looked for")
	}
	w := find.Want{Kind: find.Data, Path: path, Afar: true}
	if m != nil {
		w.ID = m.Facts().BuildID
	}
	got := s.Files.Find(ctx, w)
	if got.Source == nil {
		return nil, errors.Join(append([]error{errors.New("the file is not there (-search FOLDER, -sysroot FOLDER)")}, got.Refused...)...)
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
