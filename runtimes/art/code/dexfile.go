package code

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
)

// A DexReader reads the dex files of a process.
type DexReader struct {
	*layout.Memory
	Files find.Finder // of the dex files that the core lacks

	dexes dexes
}

func newDexReader(m *layout.Memory, files find.Finder) *DexReader {
	return &DexReader{Memory: m, Files: files, dexes: dexes{files: map[core.Addr]*DexFile{}}}
}

// A DexFile is an art::DexFile: a dex file that the runtime has open.
type DexFile struct {
	Addr     core.Addr // of the art::DexFile
	Begin    core.Addr // of the dex file's header
	Size     uint64    // bytes
	Location string    // "/system/framework/core-oj.jar", "base.apk!classes2.dex"
	Checksum uint32    // location_checksum_: from the header, or from the entry of a jar
	// File is nil if neither the core nor a file on disk has the header; Err
	// then says why.
	File *dex.File
	Err  error
	// From is the path of the file on disk that stands in for memory missing from the core; "" if the core has
	// all of it.
	From string
}

// dexes keeps the dex files that were opened.
type dexes struct {
	mu    sync.Mutex
	files map[core.Addr]*DexFile
	scan  *dexScan // of all memory; nil if it was not looked through
}

const (
	maxLocation = 4096
	maxDexFile  = 1 << 30
)

// DexFileAt returns the art::DexFile at an address.
func (ix *DexReader) DexFileAt(at core.Addr) *DexFile {
	ix.dexes.mu.Lock()
	defer ix.dexes.mu.Unlock()
	if d := ix.dexes.files[at]; d != nil {
		return d
	}
	d := ix.readDexFile(at, ix.Layout)
	if len(ix.dexes.files) < 1<<16 {
		ix.dexes.files[at] = d
	}
	return d
}

// DexAt returns the dex file of the art::DexFile at an address.
func (ix *DexReader) DexAt(at core.Addr) (*dex.File, error) {
	d := ix.DexFileAt(at)
	return d.File, d.Err
}

// readDexFile reads an art::DexFile and opens what it describes: in memory, and
// where the core lacks that in the file that was mapped there or that the
// location names. A file on disk has to prove itself by its checksum.
func (ix *DexReader) readDexFile(at core.Addr, l *layout.Layout) *DexFile {
	d := &DexFile{Addr: at}
	c := ix.Cursor()
	d.Begin = c.Pointer(at.Add(int64(l.DexFile.Begin)))
	d.Size = c.Word(at.Add(int64(l.DexFile.Size)))
	d.Checksum = c.U32(at.Add(int64(l.DexFile.Checksum)))
	if err := c.Err(); err != nil {
		d.Err = fmt.Errorf("art: DexFile at %v: %w", at, err)
		return d
	}
	d.Location, _ = ix.StdString(at.Add(int64(l.DexFile.Location)), l.Library, maxLocation)
	if d.File, d.Err = dex.Open(ix.Space, d.Begin); d.Err == nil {
		if _, err := ix.Space.Slice(d.Begin+core.Addr(min(d.Size, maxDexFile))-1, 1); err == nil {
			return d
		}
	} else if core.Fault(d.Err) == nil {
		return d
	}
	b, from, err := ix.dexOnDisk(d)
	if err != nil {
		if d.File == nil {
			d.Err = fmt.Errorf("art: %s: %w; %w", d.Name(), d.Err, err)
		}
		return d
	}
	m := &patched{space: ix.Space, at: d.Begin, bytes: b}
	if f, err := dex.Open(m, d.Begin); err == nil {
		d.File, d.Err, d.From = f, nil, from
	}
	return d
}

// Name is the location, or the address where there is none.
func (d *DexFile) Name() string {
	if d.Location != "" {
		return d.Location
	}
	return "DexFile " + d.Addr.String()
}

// A patched memory fills gaps in the core with bytes from elsewhere.
type patched struct {
	space *core.Space
	at    core.Addr
	bytes []byte
}

// ReadAt implements core.Memory.
func (m *patched) ReadAt(p []byte, a core.Addr) (int, error) {
	n, err := m.space.ReadAt(p, a)
	if err == nil {
		return n, nil
	}
	off := a + core.Addr(n) - m.at
	if off >= core.Addr(len(m.bytes)) {
		return n, err
	}
	more := copy(p[n:], m.bytes[off:])
	if n+more == len(p) {
		return n + more, nil
	}
	return n + more, err
}

var (
	errNoFiles  = errors.New("no files are looked for")
	errOtherDex = errors.New("another dex file: its checksum is not the one that the process had")
)

// dexOnDisk returns the bytes of a dex file from disk, and where they are from.
func (ix *DexReader) dexOnDisk(d *DexFile) ([]byte, string, error) {
	if ix.Files == nil {
		return nil, "", errNoFiles
	}
	path, entry, _ := strings.Cut(d.Location, "!")
	entry = strings.TrimPrefix(entry, "/")
	var paths []string
	off := int64(-1) // in the file that was mapped
	if m, ok := ix.Process.Mapping(d.Begin); ok && filepath.IsAbs(m.Path) {
		paths = append(paths, m.Path)
		off = int64(m.Off) + d.Begin.Sub(m.Start)
	}
	if path != "" && (len(paths) == 0 || paths[0] != path) {
		paths = append(paths, path)
	}
	err := error(&core.FaultError{Addr: d.Begin, Gap: core.FileMissing, Detail: d.Name()})
	for _, p := range paths {
		var b []byte
		got := ix.Files.Find(context.Background(),
			find.Want{Kind: find.Data, Path: p, Check: func(src core.Source) (err error) {
				b, err = dexIn(src, entry, d, off)
				return err
			}})
		if got.Source != nil {
			return b, got.From, got.Source.Close()
		}
		for _, e := range got.Refused {
			err = fmt.Errorf("%w; %w", err, e)
		}
	}
	return nil, "", err
}

// dexIn takes a dex file out of a file that is one, or is an archive with it, or
// a vdex file that has it at an offset.
func dexIn(src core.Source, entry string, d *DexFile, off int64) ([]byte, error) {
	size := min(src.Size(), maxDexFile)
	r := io.NewSectionReader(core.ReaderAt(src), 0, size)
	head := make([]byte, 12)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	if dex.Magic(head) {
		if binary.LittleEndian.Uint32(head[8:]) != d.Checksum {
			return nil, errOtherDex
		}
		b := make([]byte, size)
		_, err := r.ReadAt(b, 0)
		return b, err
	}
	if string(head[:4]) == vdexMagic {
		return vdexDex(r, size, off, d)
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	if entry == "" {
		entry = "classes.dex"
	}
	for _, f := range z.File {
		if f.Name == entry {
			return inflate(f, d)
		}
	}
	return nil, fmt.Errorf("it has no %q", entry)
}

// inflate returns the bytes of an archive's entry.
func inflate(f *zip.File, d *DexFile) ([]byte, error) {
	if f.CRC32 != d.Checksum {
		return nil, errOtherDex
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	limit := int64(min(d.Size, maxDexFile))
	if f.Method != zip.Store && limit > file.Plausible(int(min(f.CompressedSize64, maxDexFile))) {
		return nil, fmt.Errorf("%q: %d packed bytes: %w", f.Name, f.CompressedSize64, file.ErrTooLong)
	}
	return io.ReadAll(io.LimitReader(r, limit))
}
