package breakpad

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
)

// DebugID returns how symbol stores spell the debug id that Breakpad makes of a build-id:
// its first 16 bytes as a GUID, filled up with zeros, and the age 0. That of a UUID is the
// same of its bytes as they are.
func DebugID(id []byte, uuid bool) string {
	if len(id) == 0 {
		return ""
	}
	var g [16]byte
	copy(g[:], id)
	if !uuid {
		g = [16]byte{g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6], g[8], g[9], g[10], g[11], g[12],
			g[13], g[14], g[15]}
	}
	return fmt.Sprintf("%X0", g)
}

// Find looks for the symbol file of an image in the folders of a disk, for a Want of Debug: in the
// layout of symbol stores, as libfoo.so/DEBUGID/libfoo.so.sym, and flat, as libfoo.so.sym. The file's
// id must equal debugID. Name is the name of the image or its PDB.
func Find(d *find.Disk, name, debugID string) find.Found {
	base := core.BaseName(name)
	if base == "" || debugID == "" || base == "." || base == ".." || strings.ContainsAny(base, `/\`) {
		return find.Found{}
	}
	file := base + ".sym"
	if stem := len(base) - len(".pdb"); stem >= 0 && strings.EqualFold(base[stem:], ".pdb") {
		file = base[:stem] + ".sym"
	}
	var tries []string
	for _, dir := range append(d.DebugDirs[:len(d.DebugDirs):len(d.DebugDirs)], d.Search...) {
		if dir != "" {
			tries = append(tries, filepath.Join(dir, base, debugID, file),
				filepath.Join(dir, base, strings.ToLower(debugID), file),
				filepath.Join(dir, "symbols", base, debugID, file), filepath.Join(dir, file))
		}
	}
	return d.First(tries, func(src core.Source, p string) error {
		head, _ := core.SourceSlice(src, 0, int(min(src.Size(), 1<<12)))
		t, err := parseModule(head)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if !bytes.EqualFold([]byte(t.id), []byte(debugID)) {
			return fmt.Errorf("%s: symbols of another file: its debug id is %s, the process had %s", p, t.id, debugID)
		}
		return nil
	})
}
