package art

import (
	"errors"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/runtimes"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/inspect"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/art/property"
	"coredbg/runtimes/art/sync"
	graph "coredbg/runtimes/heap"
)

// ErrNone is what a command answers whose process has no ART, or one that Probe does
// not know.
var ErrNone = core.Unknown(errors.New("the process has no Android Runtime, or none that is known"))

// ART decodes the Android Runtime of one process. It is safe for concurrent use.
type ART struct {
	*layout.Memory
	*code.Index
	*object.Reader
	*frame.Decoder
	*heap.Walker
	*sync.Analyzer
	*inspect.Inspector

	// Results of probing.
	asked   int // the SDK that the user named; 0 if not named
	scanned core.Addr
	fit     fit
	rivals  []int // other SDKs whose layouts fit as well

	graph *graph.Cache
}

// newART returns a decoder without a layout.
func newART(t runtimes.Target, libart *core.Module) *ART {
	a := &ART{}
	a.furnish(layout.NewMemory(t.Process, t.Symbols, libart), t.Files)
	return a
}

// furnish makes all rooms anew, which forgets what was read with another layout.
func (a *ART) furnish(m *layout.Memory, files find.Finder) {
	a.Memory = m
	a.Index = code.NewIndex(m, files)
	a.Reader = object.NewReader(a.Index)
	a.Decoder = frame.NewDecoder(a.Reader)
	a.Walker = heap.NewWalker(a.Decoder)
	a.Analyzer = sync.NewAnalyzer(a.Walker)
	a.Inspector = inspect.NewInspector(a.Decoder)
	a.graph = &graph.Cache{}
}

// use makes a layout the one to decode with.
func (a *ART) use(f fit) {
	a.fit = f
	m := *a.Memory
	m.Layout, m.Runtime = f.layout, f.runtime
	a.furnish(&m, a.Files)
}

// Name returns "art".
func (a *ART) Name() string { return "art" }

// Language implements runtimes.Speaker.
func (a *ART) Language() runtimes.Language { return runtimes.LanguageJava }

// Build returns the fingerprint of the Android build that the process ran on; ""
// if the core does not have it. It implements runtimes.Builder.
func (a *ART) Build() string { return property.Fingerprint(a.Process) }
