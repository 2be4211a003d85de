package macho

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"coredbg/core"
)

// A CacheFinder finds dyld's shared caches; a find.Finder may be one.
type CacheFinder interface {
	// Caches returns the paths that the first file of a shared cache for a
	// processor may have.
	Caches(cputype uint32) []string
	// OpenFile opens a file; the caller closes it.
	OpenFile(path string) (core.Source, error)
}

// cacheFolders are where macOS has its shared cache, the newest first.
var cacheFolders = []string{
	"/System/Volumes/Preboot/Cryptexes/OS/System/Library/dyld/",
	"/System/Cryptexes/OS/System/Library/dyld/",
	"/private/preboot/Cryptexes/OS/System/Library/dyld/",
	"/System/Library/dyld/",
	"/private/var/db/dyld/",
}

// Caches implements CacheFinder.
func (d *Disk) Caches(cputype uint32) (out []string) {
	names := []string{"x86_64h", "x86_64"}
	if cputype == cpuARM64 {
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

// OpenFile implements CacheFinder.
func (d *Disk) OpenFile(path string) (core.Source, error) { return d.Bounds().Map(path) }

// A cacheInfo is what a process says of the shared cache that it used.
type cacheInfo struct {
	uuid []byte
	base core.Addr // of its start; 0 if unknown
}

// openCaches are the shared caches that were found for a process.
type openCaches struct {
	list   []*Cache
	errs   []error // which were refused, and why
	locals *cacheLocals
}

// caches opens the shared caches once: the one of the process if that is known, else
// all that there are, whose images must prove themselves.
func (l *loader) caches() *openCaches {
	l.cacheOnce.Do(func() {
		p, ok := l.opt.Files.(CacheFinder)
		if !ok {
			return
		}
		open := func(path string) (core.Source, error) {
			src, err := p.OpenFile(path)
			if err == nil {
				l.opened.Add(src)
			}
			return src, err
		}
		seen := map[string]bool{}
		var tries []string
		for _, path := range p.Caches(l.cputype) {
			if !seen[path] {
				seen[path], tries = true, append(tries, path)
			}
		}
		for _, path := range tries {
			l.openCache(open, path)
		}
		if len(l.cachesOpen.list) == 0 {
			l.findLocals(open, tries)
		}
	})
	return &l.cachesOpen
}

func (l *loader) openCache(open func(string) (core.Source, error), path string) {
	o := &l.cachesOpen
	src, err := open(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			o.errs = append(o.errs, err)
		}
		return
	}
	c, err := OpenCache(src, path, func(suffix string) (core.Source, error) { return open(path + suffix) })
	switch {
	case err != nil:
		o.errs = append(o.errs, err)
	case len(l.cache.uuid) > 0 && !bytes.Equal(c.uuid, l.cache.uuid):
		o.errs = append(o.errs, &MismatchError{Path: path, Have: bytes.Clone(c.uuid), Was: l.cache.uuid})
	default:
		switch total, agree := l.fits(c); {
		case total > 0 && 2*agree <= total:
			o.errs = append(o.errs, fmt.Errorf("%s: another shared cache: its images do not lie to each other as those of the process", path))
		case total > 0 || l.cache.base != 0:
			o.list = append(o.list, c)
			o.errs = append(o.errs, c.errs...)
		}
	}
}

// fits finds out how far the process had a cache from its own addresses, if nothing
// says: as far as most of the images that were loaded. It returns how many of these
// the cache has, and how many of them agree. The same image is in the caches of many
// versions of macOS, at other places and with other code, so that its UUID alone
// proves nothing.
func (l *loader) fits(c *Cache) (total, agree int) {
	if l.cache.base != 0 {
		c.slide = l.cache.base - core.Addr(c.base)
		return 0, 0
	}
	slides := map[core.Addr]int{}
	for _, i := range l.list {
		if at, ok := c.images[i.path]; ok && c.Image(i.path, i.uuid) != nil {
			s := i.load - at
			slides[s]++
			if total++; slides[s] > agree {
				c.slide, agree = s, slides[s]
			}
		}
	}
	return total, agree
}

// findLocals looks for the local symbols of a cache that is in the core.
func (l *loader) findLocals(open func(string) (core.Source, error), tries []string) {
	b, _ := l.p.Space.Dumped().Slice(l.cache.base, cacheHeaderSize)
	h, ok := parseCacheHeader(b)
	uuid := h.uuid(cacheSymbolsUUID)
	if !ok || uuid == nil || l.cache.base == 0 {
		return
	}
	for _, path := range tries {
		src, err := open(path + ".symbols")
		if err != nil {
			continue
		}
		sh, ok := parseCacheHeader(slice(src, 0, cacheHeaderSize))
		if have := sh.uuid(cacheUUID); !ok || !bytes.Equal(have, uuid) {
			l.cachesOpen.errs = append(l.cachesOpen.errs, &MismatchError{Path: path + ".symbols", Have: bytes.Clone(have), Was: uuid})
			continue
		}
		l.cachesOpen.locals = newCacheLocals(src, sh)
		return
	}
}

// fromCache returns an image as the shared cache's files have it; nil with the
// reason if they do not.
func (l *loader) fromCache(i listed, path string) (*File, error) {
	caches := l.caches()
	for _, c := range caches.list {
		f := c.Image(path, i.uuid)
		if f == nil || len(i.uuid) == 0 && len(l.cache.uuid) == 0 {
			continue
		}
		if i.load-core.Addr(f.imageBase()) != c.slide {
			continue
		}
		return f, nil
	}
	return nil, errors.Join(caches.errs...)
}

// withLocals gives an image of the cache in the core its local symbols.
func (l *loader) withLocals(f *File, load core.Addr) {
	if t := l.caches().locals; t != nil && f.flags&mhDylibInCache != 0 {
		off := uint64(load - l.cache.base)
		f.locals = func() localSymbols { return t.of(off) }
	}
}

// cacheState is what a loader knows of shared caches.
type cacheState struct {
	list       []listed // the images of the process
	cache      cacheInfo
	cacheOnce  sync.Once
	cachesOpen openCaches
}
