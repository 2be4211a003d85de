// Package runtimes says what a language runtime can offer to a debugger: small
// optional interfaces that commands ask for by type assertion. The runtimes
// themselves are packages below it; none knows another, none prints.
package runtimes

import (
	"context"
	"io"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes/heap"
	"coredbg/walk"
)

// A Target is what a runtime decodes: a process and its symbols.
type Target struct {
	Process *core.Process
	Symbols *sym.Table
	// Files finds files that hold no machine code, such as archives of classes: find.Data. If it is
	// nil, such files are not looked for.
	Files find.Finder
	// SDK is the process' Android API level as the user gives it; 0 if it is not given.
	SDK int
}

// A Probe looks for its runtime in a target. It returns nil, nil if it is not
// there, and an error only if it is there and cannot be decoded.
type Probe func(ctx context.Context, t Target) (Runtime, error)

// A Runtime is a decoder for one language runtime of one process.
type Runtime interface {
	Name() string    // "v8", "art"
	Version() string // "11.3.244.8-node.33"
}

// An Undecoded is a Runtime that is in the process and that cannot be decoded. As an error it says so,
// with its version and its place.
type Undecoded interface {
	Runtime
	error
	Undecoded() string // why
}

// UnknownVersion is the version of a runtime that keeps no text of it.
const UnknownVersion = "unknown"

// Title returns the name of a runtime with its version: "v8 12.4.254.21", "Duktape (version unknown)".
func Title(r Runtime) string {
	v := r.Version()
	if v == UnknownVersion {
		v = "(version unknown)"
	}
	return strings.TrimSpace(r.Name() + " " + v)
}

// An UndecodedJava is a Java virtual machine that cannot be decoded.
type UndecodedJava interface {
	Undecoded
	RunsJava() bool
}

// A Warner is a Runtime that has something to say about how far to trust it.
type Warner interface {
	Warnings() []core.Warning
}

// A SelfTester is a Runtime that tries what it knows on the core.
type SelfTester interface {
	// Doubt says why what it decodes may be wrong, nil if what was tried fits.
	Doubt() error
}

// A FileUser is a Runtime that reads files other than machine code.
type FileUser interface {
	// MissingFiles returns an error for each that is needed and was not found.
	MissingFiles() []error
}

// A Builder is a Runtime that knows which build of its system the process ran
// on; "" if the core does not say.
type Builder interface {
	Build() string
}

// A Packer is a Runtime that knows whether the program was packed into the executable, and by
// what; "" if it was not, or nothing says so.
type Packer interface {
	Packed(ctx context.Context) string
}

// A Prefetcher is a Runtime that reads, on request, the parts of files and the memory outside stacks that
// its objects need, for a copy that must hold the data decoders read.
type Prefetcher interface {
	Prefetch(ctx context.Context)
}

// A HeapWalker is a Runtime that may walk its heap to show frames.
type HeapWalker interface {
	// LeaveHeap has it do without, for a copy that is to have no heap.
	LeaveHeap()
}

// A FrameDecoder is a Runtime that has frames on stacks.
type FrameDecoder interface {
	// Begin returns an unwinder for one walk over t's stack; the runtime's
	// own chain of records is state.
	Begin(t *core.Thread) walk.Unwinder
	// Decode returns the source-level frames that a machine frame stands for,
	// innermost first: more than one where calls were inlined, none where the
	// frame is not the runtime's.
	Decode(f *walk.Frame) ([]SourceFrame, error)
}

// A Tasker is a Runtime that has threads run tasks of its own in turn, such as goroutines.
type Tasker interface {
	// Task returns the task whose record is at an address: the thread of the system that runs it, or a
	// thread that stands for it (core.Task), which is the same each time. It returns false if there is
	// no task.
	Task(a core.Addr) (t *core.Thread, ok bool)
	// Tasks returns the tasks that no thread of the system runs.
	Tasks() []*core.Thread
	// OfRuntime reports whether a function is the runtime's, or one that it has tasks wait by: what a task
	// does says who has called that.
	OfRuntime(function string) bool
}

// A ThreadDescriber is a Runtime that knows threads by a name and a state of its
// own.
type ThreadDescriber interface {
	// DescribeThread returns them; ok is false for threads that are none of
	// the runtime's. The state is a word such as "Waiting".
	DescribeThread(t *core.Thread) (name, state string, ok bool)
}

// A JavaRunner is a Runtime that runs Java, for the commands over it.
type JavaRunner interface {
	Runtime
	FrameDecoder
	// JavaState returns what the virtual machine says that a thread does, such as "in native"; ok is false for threads
	// that it does not know.
	JavaState(t *core.Thread) (state string, ok bool)
}

// An Identifier is a Runtime that can identify the object at an address, for ::whatis.
type Identifier interface {
	WhatIs(a core.Addr) (string, bool)
}

// A Grapher is a Runtime whose heap can be made a graph.
type Grapher interface {
	Runtime
	// Graph builds the graph of all heaps of the process; later calls return the same.
	Graph(ctx context.Context) (*heap.Graph, error)
}

// A HeapSizer is a Grapher that knows how large its heap is without reading its objects.
type HeapSizer interface {
	Grapher
	// HeapSize returns the size of the pages that objects are on, in bytes, and a function that
	// returns the classes of some objects, by size.
	HeapSize(ctx context.Context) (bytes uint64, sample func(context.Context) ([]heap.Class, error), err error)
}

// A LeakRuler is a Grapher with known leak patterns of its programs.
type LeakRuler interface {
	Grapher
	// LeakRules returns them, the most significant first.
	LeakRules() []heap.Rule
}

// A HeapDivider is a Grapher of processes whose threads may have heaps of their own.
type HeapDivider interface {
	Grapher
	// HeapThread returns the thread that has the heap with an object. It returns nil if the process
	// has one heap only, or if the thread is not known.
	HeapThread(ctx context.Context, a core.Addr) *core.Thread
}

// An HprofWriter is a Runtime whose heap can be written as its own tools have it: a file
// of the JAVA PROFILE format.
type HprofWriter interface {
	Runtime
	// WriteHprof writes all objects and roots. It builds the graph if needed.
	WriteHprof(ctx context.Context, w io.Writer) error
}

// A SnapshotWriter is a Runtime whose heap can be written as V8's own tools have it: a
// heap snapshot.
type SnapshotWriter interface {
	Runtime
	// WriteSnapshot writes all objects that are reachable. It builds the graph if needed.
	WriteSnapshot(ctx context.Context, w io.Writer) error
}

// A Kind says which world a frame belongs to.
type Kind string

// The kinds of frames; they are words of the JSON form.
const (
	Native Kind = "native"
	Signal Kind = "signal" // a signal trampoline
	JS     Kind = "js"
	Java   Kind = "java"
	Wasm   Kind = "wasm"
	Stub   Kind = "stub" // glue of a runtime: entry, exit, adaptor frames
	API    Kind = "api"  // a function of the embedder that managed code calls, which the engine's own stacks leave out
)

// UnknownFunction is the name of a managed function whose name is in memory that is not there.
const UnknownFunction = "<unknown function>"

// A SourceFrame is a frame as its language sees it.
type SourceFrame struct {
	Kind Kind
	// Name is the function as the engine prints it; for Java
	// package.Class.method; for stubs the code that runs
	// ("JSEntryTrampoline"), or the tier in angle brackets if it has no name.
	Name string
	// File, Line and Column are the position; Line and Column count from 1
	// and are 0 if unknown.
	File         string
	Line, Column int
	// Tier is the code's kind: interpreter, baseline, maglev, turbofan,
	// builtin; nterp, jit, aot, jni. For stubs it says what the frame is
	// for: entry, exit, internal, construct …
	Tier string
	// Inlined is set if the frame has no machine frame of its own: it shares
	// the pc of the frame that follows it.
	Inlined bool
	// Async is set for a caller that awaits, and is not on the stack.
	Async bool
	// Function is the address of the function object, tagged as the runtime tags it; 0 if there is no
	// such object.
	Function core.Addr
	// Unit is the address of the object with the function's source, as the runtime tags it: V8's
	// Script; 0 if there is no such object.
	Unit core.Addr
	// Callback is the embedder's function that an API frame calls: its symbol
	// without parameters, or image+offset; "" if unknown.
	Callback string
	// Note is a caveat about this frame: which parts are not certain, and why.
	Note string
	// Unmapped is set if the position is in code that was generated from other source, and no source
	// map gives its place in that.
	Unmapped bool
	// Generated is the running code, if Name, File, Line and Column come from a source map; nil if the
	// code is not known to be generated.
	Generated *Generated
}

// Generated is code that was made from other source, which a source map says.
type Generated struct {
	Name   string `json:"name,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Map is the source of the map: "inline", "cache" for Node's or Deno's cache, or a file.
	Map string `json:"map,omitempty"`
	// Ignored is set if the map's author wants the frame left out of stacks: it is a
	// library's.
	Ignored bool `json:"ignored,omitempty"`
}
