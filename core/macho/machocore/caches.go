package machocore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/cache"
	"coredbg/core/macho/format"
)

// A CacheFinder finds dyld's shared caches; a find.Finder may be one.
type CacheFinder interface {
	// Caches returns the paths that the first file of a shared cache for a
	// processor may have.
	Caches(cputype uint32) []string
	// OpenFile opens a file; the caller closes it.
	OpenFile(path string) (core.Source, error)
}

// A cacheInfo identifies the shared cache that a process used.
type cacheInfo struct {
	uuid []byte
	base core.Addr // of its start; 0 if unknown
}

// openCaches are the shared caches that were found for a process.
type openCaches struct {
	list   []slidCache
	errs   []error // which were refused, and why
	locals *cache.Locals
}

// A slidCache is a shared cache with how far from its addresses the process had it.
type slidCache struct {
	*cache.Cache
	slide core.Addr
}

// usedCaches holds the shared caches of a process.
type usedCaches struct {
	cache      cacheInfo
	cacheOnce  sync.Once
	cachesOpen openCaches
}

// caches opens the shared caches once: the one of the process if that is known, else
// all that there are, whose images must prove themselves.
func (r *resolver) caches() *openCaches {
	r.cacheOnce.Do(func() {
		p, ok := r.opt.Files.(CacheFinder)
		if !ok {
			return
		}
		open := func(path string) (core.Source, error) {
			src, err := p.OpenFile(path)
			if err == nil {
				r.opened.Add(src)
			}
			return src, err
		}
		seen := map[string]bool{}
		var tries []string
		for _, path := range p.Caches(r.cputype) {
			if !seen[path] {
				seen[path], tries = true, append(tries, path)
			}
		}
		for _, path := range tries {
			r.openCache(open, path)
		}
		if len(r.cachesOpen.list) == 0 {
			r.findLocals(open, tries)
		}
	})
	return &r.cachesOpen
}

func (r *resolver) openCache(open func(string) (core.Source, error), path string) {
	o := &r.cachesOpen
	src, err := open(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			o.errs = append(o.errs, err)
		}
		return
	}
	c, err := cache.Open(src, path, func(suffix string) (core.Source, error) { return open(path + suffix) })
	switch {
	case err != nil:
		o.errs = append(o.errs, err)
	case len(r.cache.uuid) > 0 && !bytes.Equal(c.UUID(), r.cache.uuid):
		o.errs = append(o.errs, &macho.MismatchError{Path: path, Have: bytes.Clone(c.UUID()), Was: r.cache.uuid})
	default:
		slid := slidCache{Cache: c}
		switch total, agree := r.fits(&slid); {
		case total > 0 && 2*agree <= total:
			o.errs = append(o.errs, fmt.Errorf("%s: another shared cache: its images are at other distances than in the process", path))
		case total > 0 || r.cache.base != 0:
			o.list = append(o.list, slid)
			o.errs = append(o.errs, c.Missing()...)
		}
	}
}

// fits finds out how far the process had a cache from its own addresses, if nothing
// says: as far as most of the images that were loaded. It returns how many of these
// the cache has, and how many of them agree. The same image is in the caches of many
// versions of macOS, at other places and with other code, so that its UUID alone
// proves nothing.
func (r *resolver) fits(c *slidCache) (total, agree int) {
	if r.cache.base != 0 {
		c.slide = r.cache.base - core.Addr(c.Base())
		return 0, 0
	}
	slides := map[core.Addr]int{}
	for _, i := range r.list {
		if at, ok := c.At(i.path); ok && c.Image(i.path, i.uuid) != nil {
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
func (r *resolver) findLocals(open func(string) (core.Source, error), tries []string) {
	b, _ := r.p.Space.Dumped().Slice(r.cache.base, cache.HeaderSize)
	h, ok := cache.ParseHeader(b)
	uuid := h.SymbolsUUID()
	if !ok || uuid == nil || r.cache.base == 0 {
		return
	}
	for _, path := range tries {
		src, err := open(path + ".symbols")
		if err != nil {
			continue
		}
		sh, ok := cache.ParseHeader(format.Slice(src, 0, cache.HeaderSize))
		if have := sh.UUID(); !ok || !bytes.Equal(have, uuid) {
			r.cachesOpen.errs = append(r.cachesOpen.errs, &macho.MismatchError{Path: path + ".symbols",
				Have: bytes.Clone(have), Was: uuid})
			continue
		}
		r.cachesOpen.locals = cache.NewLocals(src, sh)
		return
	}
}

// fromCache returns an image as the shared cache's files have it; nil with the
// reason if they do not.
func (r *resolver) fromCache(i listed, path string) (*macho.File, error) {
	caches := r.caches()
	for _, c := range caches.list {
		f := c.Image(path, i.uuid)
		if f == nil || len(i.uuid) == 0 && len(r.cache.uuid) == 0 {
			continue
		}
		if i.load-core.Addr(f.Base()) != c.slide {
			continue
		}
		return f, nil
	}
	return nil, errors.Join(caches.errs...)
}

// withLocals gives an image of the cache in the core its local symbols.
func (r *resolver) withLocals(f *macho.File, load core.Addr) {
	if t := r.caches().locals; t != nil && f.InSharedCache() {
		off := uint64(load - r.cache.base)
		f.SetLocals(func() macho.Locals { return t.Of(off) })
	}
}
