package frame

import (
	"sync"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/wasmcode"
)

// A Decoder decodes frames of generated code.
type Decoder struct {
	Deopt
	// Exits reads V8's own chain of exit frames.
	Exits *ExitChain
	// Promises reads what waits for a promise.
	Promises *promise.Reader

	maps  Maps // nil without source maps
	heaps *heap.Walker

	modules *wasmcode.Modules

	text          *source.Reader
	wordsOnce     sync.Once
	capturesWords bool // the answer of hidesNew
}

// Maps are the source maps of scripts.
type Maps interface {
	// MapFrame gives a frame the place and name in its original source, if a source map has them.
	MapFrame(f *runtimes.SourceFrame)
}

// New returns a decoder of the frames of the process whose objects r reads, and whose functions' texts text
// reads. maps may be nil.
func New(r *object.Reader, text *source.Reader, hs *heap.Walker, maps Maps) *Decoder {
	return &Decoder{Deopt: Deopt{Memory: r.Memory, objects: r, sites: callsite.New(r)}, Exits: NewExitChain(r),
		Promises: promise.New(r), modules: wasmcode.New(r), heaps: hs, text: text, maps: maps}
}
