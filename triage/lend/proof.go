package lend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/breakpad"
	"coredbg/core/elf"
	"coredbg/core/find"
)

var (
	errKind  = errors.New("not a file that a process is lent: neither code nor debugging information, an archive or a source map")
	errOther = errors.New("another file: its SHA-256 differs")
)

// proves checks again what a found file is, on the open file that is sent: the path may lead
// elsewhere by now.
func (r *request) proves(src core.Source, path string) error {
	switch {
	case r.Kind == find.Image:
		return elf.CheckBuildID(src, path, r.ID)
	case r.Kind == find.Debug && breakpad.Is(src):
		return nil
	case r.Kind == find.Debug:
		return elf.CheckBuildID(src, path, nil)
	case isChunk(r.Path):
		return checkChunk(src, r.Path)
	}
	return checkData(src)
}

// chunkSum returns the SHA-256 that the name of a shared chunk is; nil if it is none.
func chunkSum(name string) []byte {
	digits, ok := strings.CutSuffix(name, ".zst")
	sum, err := hex.DecodeString(digits)
	if !ok || err != nil || len(sum) != sha256.Size {
		return nil
	}
	return sum
}

// maxChunk bounds the size of a shared chunk, in bytes.
const maxChunk = 64 << 20

// checkChunk refuses a file if its name is not the SHA-256 of its bytes.
func checkChunk(src core.Source, path string) error {
	if src.Size() > maxChunk {
		return errOther
	}
	data, err := core.SourceSlice(src, 0, int(src.Size()))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], chunkSum(filepath.Base(path))) {
		return errOther
	}
	return nil
}

// magics are how the kinds of files begin that a process reads as Data: ELF (APK libraries, split
// DWARF), dex and vdex of Android, archives with these.
var magics = []string{"\x7fELF", "dex\n", "cdex", "vdex", "PK\x03\x04"}

// checkData refuses a file if no decoder asks for its kind. The decoder's own check finds
// the right file of a kind.
func checkData(src core.Source) error {
	head, err := core.SourceSlice(src, 0, int(min(src.Size(), 4096)))
	if err != nil {
		return err
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m)) {
			return nil
		}
	}
	if isSourceMap(src, head) || isPerfMap(head) {
		return nil
	}
	return errKind
}

// maxSourceMap bounds the size of a source map, in bytes.
const maxSourceMap = 256 << 20

// isSourceMap reports whether a file is an object of JSON with the keys of a source map
// (ECMA-426).
func isSourceMap(src core.Source, head []byte) bool {
	head = bytes.TrimPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte(")]}'"))
	if i := bytes.IndexAny(head, "{"); i < 0 || len(bytes.TrimSpace(head[:i])) > 0 || src.Size() > maxSourceMap {
		return false
	}
	all, err := core.SourceSlice(src, 0, int(src.Size()))
	return err == nil && bytes.Contains(all, []byte(`"version"`)) &&
		(bytes.Contains(all, []byte(`"mappings"`)) || bytes.Contains(all, []byte(`"sections"`)))
}

// isPerfMap reports whether a file begins as a map of code made at run time does: an address,
// a size and a name (Linux, tools/perf/Documentation/jit-interface.txt).
func isPerfMap(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	var at, size uint64
	var name string
	n, _ := fmt.Sscanf(string(line), "%x %x %s", &at, &size, &name)
	return n == 3
}
