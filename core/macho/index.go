package macho

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/macho/format"
)

// An index is the Mach-O files below some folders, by UUID.
type index struct {
	images map[string][]string // what can be loaded
	dsyms  map[string][]string // the files in dSYM bundles
	caches []string            // files of dyld's shared cache, the first of each
	full   bool                // there were more files than maxIndexed
}

// maxIndexed bounds the files and folders that a search looks at.
const maxIndexed = 1 << 17

// index searches the folders once.
func (d *Disk) index() *index {
	d.once.Do(func() {
		d.found = &index{images: map[string][]string{}, dsyms: map[string][]string{}}
		n := 0
		for _, dir := range append(append([]string(nil), d.Search...), d.DebugDirs...) {
			// The slash makes a link to a folder the folder.
			_ = filepath.WalkDir(dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
				if n++; n > maxIndexed {
					d.found.full = true
					return filepath.SkipAll
				}
				if err == nil && e.IsDir() && e.Name() == ".git" {
					return filepath.SkipDir
				}
				if err == nil && e.Type().IsRegular() {
					d.found.add(filepath.Clean(path))
				}
				return nil
			})
		}
	})
	return d.found
}

// limit says that the search ended before all files were seen; nil if it did not.
func (x *index) limit() []error {
	if x.full {
		return []error{fmt.Errorf("the folders to search have more than %d files: not all were looked at", maxIndexed)}
	}
	return nil
}

// add looks into a file.
func (x *index) add(path string) {
	switch head(path) {
	case kindCache:
		x.addCache(path)
	case kindMachO:
		src, err := file.Map(path)
		if err != nil {
			return
		}
		defer src.Close()
		all, _ := images(src, path)
		for _, f := range all {
			switch {
			case len(f.uuid) == 0 || f.head.FileType == format.MHObject || f.head.FileType == format.MHCore:
			case f.head.FileType == format.MHDSYM:
				x.dsyms[string(f.uuid)] = append(x.dsyms[string(f.uuid)], path)
			default:
				x.images[string(f.uuid)] = append(x.images[string(f.uuid)], path)
			}
		}
	}
}

// addCache records the first file of the shared cache that a file belongs to.
func (x *index) addCache(path string) {
	dir, base := filepath.Split(path)
	name, ok := strings.CutPrefix(base, cachePrefix)
	if !ok {
		return
	}
	arch, rest, _ := strings.Cut(name, ".")
	if strings.HasPrefix(rest, "development") {
		arch += ".development"
	}
	if first := dir + cachePrefix + arch; !slices.Contains(x.caches, first) {
		x.caches = append(x.caches, first)
	}
}

// The kinds of files that an index holds.
const (
	kindOther = iota
	kindMachO
	kindCache
)

// cachePrefix begins the names of the files of dyld's shared cache.
const cachePrefix = "dyld_shared_cache_"

// head says by its first bytes what a file is.
func head(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return kindOther
	}
	defer f.Close()
	var b [8]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return kindOther
	}
	be := binary.BigEndian.Uint32(b[:])
	switch {
	case le.Uint32(b[:]) == format.Magic64, (be == format.MagicFat || be == format.MagicFat64) &&
		binary.BigEndian.Uint32(b[4:]) <= maxFat:
		return kindMachO
	case string(b[:7]) == format.CacheMagic:
		return kindCache
	}
	return kindOther
}

// cacheFolders are where macOS has its shared cache, the newest first.
var cacheFolders = []string{
	"/System/Volumes/Preboot/Cryptexes/OS/System/Library/dyld/",
	"/System/Cryptexes/OS/System/Library/dyld/",
	"/private/preboot/Cryptexes/OS/System/Library/dyld/",
	"/System/Library/dyld/",
	"/private/var/db/dyld/",
}

// Caches returns the paths that the first file of a shared cache for a processor may have; see
// machocore.CacheFinder.
func (d *Disk) Caches(cputype uint32) (out []string) {
	names := []string{"x86_64h", "x86_64"}
	if cputype == format.CPUARM64 {
		names = []string{"arm64e", "arm64"}
	}
	for _, dir := range cacheFolders {
		for _, n := range names {
			out = append(out, d.places(dir+cachePrefix+n)...)
			if d.Sysroot == "" {
				out = append(out, dir+cachePrefix+n)
			}
		}
	}
	return append(out, d.index().caches...)
}

// OpenFile opens a file of a shared cache; the caller closes it.
func (d *Disk) OpenFile(path string) (core.Source, error) { return d.Bounds().Map(path) }
