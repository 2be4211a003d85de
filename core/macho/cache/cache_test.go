package cache

import (
	"testing"

	"coredbg/core"
	"coredbg/core/macho/machotest"
)

func FuzzCache(f *testing.F) {
	c := machotest.Cache()
	f.Add(c[""], c[".01"], c[".symbols"])
	f.Fuzz(func(t *testing.T, first, second, symbols []byte) {
		files := machotest.CacheFiles{"": first, ".01": second, ".symbols": symbols}
		c, err := Open(core.Bytes(first), "/cache",
			func(s string) (core.Source, error) { return files.OpenFile("/cache" + s) })
		if err != nil {
			return
		}
		for path := range c.images {
			if img := c.Image(path, nil); img != nil {
				machotest.ReadAll(img)
				break
			}
		}
	})
}
