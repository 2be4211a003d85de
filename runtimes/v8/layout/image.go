package layout

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
)

// An Image is the executable or library that contains V8, with the facts from its symbols.
type Image struct {
	Module    *core.Module
	Bias      core.Addr
	Version   Version
	Embedder  string // "-node.53"
	Constants Constants
	Blob      Area // its embedded builtins, where the image itself is mapped
	// Builtins are the builtins found in an image without symbols for them; nil if it has symbols.
	Builtins *embedded.Builtins
	// BytecodeSizes are the bytecode sizes of an image without a symbol for them, in the format of
	// Bytecodes::kBytecodeSizes; nil otherwise.
	BytecodeSizes []byte
	// TypeNames are instance types that are known other than by constants, by number.
	TypeNames map[int]string

	// Unread is set if the image is not at hand: what it would say is not known.
	Unread bool

	sortOnce sync.Once
	sorted   []string // the names of constants
	Err      error    // why the image could not be read in full
}

// Mangled names of V8's variables; base/version.h, execution/isolate.h.
const (
	symMajor         = "_ZN2v88internal7Version6major_E"
	symMinor         = "_ZN2v88internal7Version6minor_E"
	symBuild         = "_ZN2v88internal7Version6build_E"
	symPatch         = "_ZN2v88internal7Version6patch_E"
	symEmbedder      = "_ZN2v88internal7Version9embedder_E"
	SymIsolate       = "_ZN2v88internal18g_current_isolate_E"
	SymIsolateKey    = "_ZN2v88internal7Isolate12isolate_key_E"
	SymBytecodeSizes = "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE"
	SymExpandFrames  = "_ZN2v88internal12CallSiteInfo20ExpandDeferredFramesEPNS0_7IsolateENS0_6HandleINS0_10FixedArrayEEE"
)

// MinImage is less than the least library with V8 in it is mapped with, in
// bytes: a build without its compilers and its internationalisation has over
// four times that.
const MinImage = 2 << 20

// FindImage looks for V8 in the executable first, then in the libraries, those
// whose names speak of it first. A constant that every version has decides.
// Libraries that are too small to hold V8 are not opened: a process may have
// thousands of them.
func FindImage(ctx context.Context, t runtimes.Target) (*Image, error) {
	for _, m := range ImagesByRank(t) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if rankOf(m) == 2 && m.End-m.Start < MinImage {
			continue
		}
		if img := readImage(t, m); img != nil {
			return img, nil
		}
	}
	return nil, nil
}

// rankOf ranks images by how likely they are to be V8's.
func rankOf(m *core.Module) int {
	name := m.Name()
	switch {
	case m.Exe:
		return 0
	case strings.Contains(name, "node"), strings.Contains(name, "v8"), strings.Contains(name, "electron"):
		return 1
	}
	return 2
}

// readImage returns nil if m does not export V8's constants.
func readImage(t runtimes.Target, m *core.Module) *Image {
	img := &Image{Module: m, Constants: Constants{Values: map[string]int{}}}
	unread := 0
	err := t.Symbols.Prefix(m, symbolPrefix, func(s sym.Symbol) bool {
		n, ok := readInt(t, s.Addr)
		if !ok {
			unread++
			return true
		}
		img.Constants.Values[strings.TrimPrefix(s.Name, symbolPrefix)] = n
		return true
	})
	if len(img.Constants.Values)+unread == 0 {
		return nil
	}
	img.Err = err
	if unread > 0 {
		img.Err = errors.Join(err, errors.New(strconv.Itoa(unread)+" of the v8dbg_ constants cannot be read"))
	}
	img.readVersion(t)
	img.place(t)
	if img.TypeNames = typesOf(t, m); img.TypeNames == nil {
		img.TypeNames = Types(img.Version, img.Constants.Values)
	}
	return img
}

// place finds where the image and its embedded builtins lie.
func (img *Image) place(t runtimes.Target) {
	if f := img.Module.Facts(); f.BiasKnown {
		img.Bias = f.Bias
	}
	img.findBlob(t)
}

// Stripped returns an image that exports no constants. v and embedder come from its version text, c stands in
// for its constants, and b describes its embedded builtins.
func Stripped(t runtimes.Target, m *core.Module, v Version, embedder string, c Constants, b *embedded.Builtins) *Image {
	img := &Image{Module: m, Version: v, Embedder: embedder, Constants: c, Builtins: b}
	img.place(t)
	return img
}

// ConstantNames returns the names of the constants, sorted.
func (img *Image) ConstantNames() []string {
	img.sortOnce.Do(func() { img.sorted = sortedNames(img.Constants.Values) })
	return img.sorted
}

// VersionText returns the version as V8 prints it, or "unknown".
func (img *Image) VersionText() string {
	if img.Version == (Version{}) {
		return "unknown"
	}
	return img.Version.String() + img.Embedder
}

// SymbolVersion returns the version that the symbols of an image lead to, as V8 prints it, or "".
func SymbolVersion(t runtimes.Target, m *core.Module) string {
	img := &Image{Module: m}
	img.readVersion(t)
	if img.Version == (Version{}) {
		return ""
	}
	return img.Version.String() + img.Embedder
}

func readInt(t runtimes.Target, a core.Addr) (int, bool) {
	c := t.Process.Cursor()
	n := int32(c.U32(a))
	return int(n), c.Err() == nil
}

func (img *Image) readVersion(t runtimes.Target) {
	var n [4]int
	for i, name := range []string{symMajor, symMinor, symBuild, symPatch} {
		s, ok := t.Symbols.Exact(img.Module, name)
		if !ok {
			return
		}
		if n[i], ok = readInt(t, s.Addr); !ok || n[i] < 0 || n[i] > 1<<16 {
			return
		}
	}
	img.Version = Version{n[0], n[1], n[2], n[3]}
	if s, ok := t.Symbols.Exact(img.Module, symEmbedder); ok {
		c := t.Process.Cursor()
		// A pointer to the text, filled in by the static linker or a
		// relocation.
		if text := c.CString(c.Pointer(s.Addr), 32); c.Err() == nil && Printable(text) {
			img.Embedder = text
		}
	}
}

// ImagesByRank returns the modules, likely images of V8 first, by their names.
func ImagesByRank(t runtimes.Target) []*core.Module {
	modules := slices.Clone(t.Process.Modules)
	slices.SortStableFunc(modules, func(a, b *core.Module) int { return rankOf(a) - rankOf(b) })
	return modules
}

// RustyV8 is how the suffix of rusty_v8 begins, which Deno has.
const RustyV8 = "-rusty"

// OfDeno reports whether V8 is built as Deno has it.
func (img *Image) OfDeno() bool { return strings.HasPrefix(img.Embedder, RustyV8) }
