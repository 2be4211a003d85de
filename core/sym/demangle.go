package sym

import (
	"bytes"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"
)

// The bounds of demangling. A mangled name can stand for one that is longer by
// an exponential factor, and nested qualifiers cost their number squared: 0.7 s
// for 8 KiB of "K", 40 ms for 2 KiB. The longest name in Node 24 and in LLVM 14
// has 790 bytes.
const (
	maxMangled   = 2 << 10 // bytes; a longer name stays as it is
	maxDemangled = 14      // the logarithm of the length that output is cut at
)

// mangled reports whether name could be one that Demangle changes.
func mangled(name []byte) bool {
	return bytes.HasPrefix(name, []byte("_Z")) || bytes.HasPrefix(name, []byte("_R")) ||
		bytes.HasPrefix(name, []byte("__Z")) || bytes.HasPrefix(name, []byte("___Z")) ||
		bytes.HasPrefix(name, []byte("_GLOBAL_")) || ocaml(name)
}

// Demangle returns the readable form of a C++, Rust or OCaml name, without parameters
// if short is set, or name itself if it is not mangled or too wild. A Mach-O
// name may keep the underscore that its platform puts in front. The result is
// not Clean.
func Demangle(name string, short bool) (readable string) {
	if len(name) > maxMangled || !mangled([]byte(name[:min(len(name), 8)])) {
		return name
	}
	if ocaml([]byte(name)) {
		return ocamlName(name)
	}
	// The demangler turns its own errors into values; what else it might
	// run into must not cost more than this name.
	defer func() {
		if recover() != nil {
			readable = name
		}
	}()
	spelling := name
	if strings.HasPrefix(name, "__Z") {
		spelling = name[1:]
	}
	options := []demangle.Option{demangle.MaxLength(maxDemangled)}
	if short {
		options = append(options, demangle.NoParams, demangle.NoEnclosingParams)
	}
	s, err := demangle.ToString(spelling, options...)
	if err != nil || s == "" {
		return name
	}
	return s
}

// nameCache remembers demangled names. It forgets all of them when it is full:
// stacks ask for few names often, listings for many names once.
type nameCache struct {
	mu    sync.Mutex
	names [2]map[string]string
}

const maxCached = 1 << 14

func (c *nameCache) get(name string, short bool) string {
	if len(name) > maxMangled || !mangled([]byte(name[:min(len(name), 8)])) {
		return name
	}
	k := 0
	if short {
		k = 1
	}
	c.mu.Lock()
	s, ok := c.names[k][name]
	c.mu.Unlock()
	if ok {
		return s
	}
	s = Demangle(name, short)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names[k] == nil || len(c.names[k]) >= maxCached {
		c.names[k] = make(map[string]string)
	}
	c.names[k][name] = s
	return s
}
