// Package stack makes one stack of the meanings of a thread's frames. It walks the thread with the
// unwinders of all runtimes, has each frame decoded by the runtime that knows it, names machine code
// with symbols and lines, and puts the frames of all languages in one order, with inlined functions
// expanded and awaiting functions after running ones. It writes no text: commands do.
//
// LIMITATIONS: a frame is decoded by the first runtime that knows it.
package stack

import (
	"iter"
	"regexp"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A Frame is one frame of the unified stack: native, signal or managed. A zero
// field is a fact that is absent. The commands of a runtime add keys to its JSON:
// this and args of JavaScript, dex_pc, signature and frame of Java, locals, locks.
type Frame struct {
	_ struct{} `record:"frame"`
	// Index counts from 0 in the thread's whole stack; filters leave holes. Calls inlined in a library
	// that only Options.Lines shows have the index of their frame.
	Index int `json:"index"`
	// native, signal, js, java, wasm, stub, api: a function of the embedder, which Error.stack leaves out
	Kind runtimes.Kind `json:"kind"`
	// demangled without parameters; for JavaScript as the engine prints it; absent if no symbol covers pc
	Name   string    `json:"name,omitempty"`
	PC     core.Addr `json:"pc"`
	SP     core.Addr `json:"sp"`
	FP     core.Addr `json:"fp,omitzero"`
	Module string    `json:"module,omitempty"` // the path of the image that holds pc
	// Offset is valid for frames that have a symbol, which HasOffset says.
	Offset    uint64 `json:"offset"` // bytes from the symbol's start; absent without a symbol
	HasOffset bool   `json:"-"`
	// ModuleOffset is valid if Module is set.
	ModuleOffset core.Addr `json:"module_offset"` // from the image's first mapping; absent without module
	File         string    `json:"file,omitempty"`
	Line         int       `json:"line,omitempty"`
	Column       int       `json:"column,omitempty"`
	// how it was found: registers, runtime, cfi, compact, fp, prologue, scan
	Trust walk.Trust `json:"trust"`
	// interpreter, baseline, maglev, turbofan, builtin; nterp, jit, aot, jni, proxy
	Tier    string `json:"tier,omitempty"`
	Inlined bool   `json:"inlined,omitempty"` // it shares pc with the frame that holds it, which comes after it
	Async   bool   `json:"async,omitempty"`   // it awaits
	Made    bool   `json:"made,omitempty"`    // the process made the code at run time, and nothing names it
	// pc is a return address that no call precedes: interrupted, with a call injected; or put there by hand
	NoCall bool `json:"no_call,omitempty"`
	// frames may be missing between this one and the one before it: code that they were in could not be read
	Gap bool `json:"gap,omitempty"`
	// Function, Callback and Note have the meaning of the fields in runtimes.SourceFrame.
	Function core.Addr `json:"function,omitzero"`
	Callback string    `json:"callback,omitempty"` // of kind api: its symbol
	Note     string    `json:"note,omitempty"`
	// Unmapped and Generated have the meaning of the fields in runtimes.SourceFrame.
	Unmapped bool `json:"unmapped,omitempty"` // the position is in generated code without a source map
	// the running code, if name, file, line and column come from its source map
	Generated *runtimes.Generated `json:"generated,omitempty"`

	// CFA is the canonical frame address, 0 if the walk found no caller: the stack pointer of
	// the caller before the call. DWARF's is Arch.CFAOff higher.
	CFA core.Addr `json:"-"`
	// Extra is what a caller of Each adds: its arguments, its locals. ExtraText
	// is that for people, one line each.
	Extra     []Extra  `json:"-"`
	ExtraText []string `json:"-"`
	// Detail adds Extra and ExtraText before the frame is written; nil if they are there already.
	Detail func(*Frame) `json:"-"`
	// Args are the arguments of the call in a few words, such as "p=NULL, n=3". They are filled in for people
	// by who knows them.
	Args string `json:"-"`
	// Deleting says that this is the deleting destructor of a class, which delete calls through a
	// table of virtual functions.
	Deleting bool `json:"-"`
	// Arch is the process's; nil if it is not known.
	Arch *core.Arch `json:"-"`
}

// Borrowed reports whether a frame that machine stands for is a call that awaits and has no record of its
// own: machine belongs to the call that it waits for, and has none of its values.
func Borrowed(async bool, machine *walk.Frame) bool { return async && machine.Point != walk.Virtual }

// MadeCode stands for the name of a frame whose code the process made at run time and nothing names.
const MadeCode = "<code made at run time>"

// An Extra is a fact about a frame that a runtime's commands add.
type Extra struct {
	Key   string
	Value []byte // JSON
}

// A Stack is a thread with its frames.
type Stack struct {
	Thread *core.Thread
	Signal string // name of the signal that hit this thread; "" if none did
	// Name and State are what a runtime calls them, else the core's.
	Name, State string
	Frames      []Frame
	// Total is how many frames of the stack have an index of their own, before it was filtered.
	Total int
	// Stop says why the walk ended.
	Stop *walk.StopError

	again iter.Seq[*Frame] // walks the thread anew, if Frames has only the first Options.Hold frames
}

// Deep reports whether the stack has more frames than Frames: Options.Hold has limited those.
func (s *Stack) Deep() bool { return s.again != nil }

// Again has Every take the frames that Frames lacks from all, which yields every frame of the stack and lends it.
func (s *Stack) Again(all iter.Seq[*Frame]) { s.again = all }

// Every yields the frames of the stack from the innermost out. It walks the thread of a deep stack
// again and lends each frame.
func (s *Stack) Every() iter.Seq[*Frame] {
	return func(yield func(*Frame) bool) {
		for i := range s.Frames {
			if !yield(&s.Frames[i]) {
				return
			}
		}
		if s.again == nil {
			return
		}
		n := 0
		for f := range s.again {
			if n++; n > len(s.Frames) && !yield(f) {
				return
			}
		}
	}
}

// Options say which frames of a stack a caller wants.
type Options struct {
	// Keep selects frames; nil keeps all. The walk is the same in any case.
	Keep func(*Frame) bool
	// ManagedOnly leaves native frames and stubs unnamed, for stacks that
	// only count them: naming them would read symbols and lines.
	ManagedOnly bool
	// Best selects one frame by its worth: Stack.Frames has only the first of the worthiest frames, without
	// its CFA. A frame that is worth Enough ends the walk. Best may be called from several goroutines; nil
	// selects no single frame.
	Best func(*Frame) Worth
	// Limit is the number of machine frames to walk; 0 means no limit.
	Limit int
	// Hold is the most frames that Stack.Frames keeps; 0 keeps all. Stack.Every yields the others, too,
	// and Each is called for all frames again then.
	Hold int
	// Lines takes source lines also from the separate debug files of
	// libraries. Those of a distribution's libraries are large, and lines in
	// them are seldom what a stack is read for.
	Lines bool
	// Raw leaves out source maps: names and positions are the running code's.
	Raw bool
	// Each is called for each frame that is kept, before its caller is
	// known; src is nil for native frames. Both are lent.
	Each func(f *Frame, machine *walk.Frame, src *runtimes.SourceFrame)
}

// Pointer returns the address of the frame's pair of saved frame pointer and
// return address, which is what the classic listings show. Code that keeps no
// frame pointer uses the register for anything: there it is where the pair
// would be, below the canonical frame address.
func (f *Frame) Pointer() core.Addr {
	if f.Arch == nil || f.Arch.LR >= 0 || f.CFA == 0 {
		return f.FP
	}
	return f.CFA - core.Addr(2*f.Arch.PtrSize)
}

// Symbolic returns the frame's place as module`symbol+0xoff, as module+0xoff
// if no symbol covers it, or as the bare pc.
func (f *Frame) Symbolic() string {
	module := baseName(f.Module)
	switch {
	case f.Name != "" && f.HasOffset && module != "":
		return module + "`" + f.Name + "+" + core.Addr(f.Offset).String()
	case f.Name != "" && f.HasOffset:
		return f.Name + "+" + core.Addr(f.Offset).String()
	case f.Name != "" && module != "" && f.Kind == runtimes.Native:
		return module + "`" + f.Name
	case f.Name != "":
		return f.Name
	case module != "":
		return module + "+" + f.ModuleOffset.String()
	}
	return f.PC.String()
}

// Position returns file:line:column as far as it is known, or "".
func (f *Frame) Position() string {
	s := f.File
	if s == "" {
		return ""
	}
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
		if f.Column > 0 {
			s += ":" + strconv.Itoa(f.Column)
		}
	}
	return s
}

// Caveat returns the reason why the frame is uncertain, or is not in the source that people write; ""
// if there is no such reason.
func (f *Frame) Caveat() string {
	switch {
	case !f.Unmapped:
		return f.Note
	case f.Note == "":
		return Unmapped
	}
	return f.Note + "; " + Unmapped
}

// Unmapped marks a position in code that was generated from other source.
const Unmapped = "generated code, no source map"

// Managed keeps the frames of managed languages.
func Managed(f *Frame) bool { return managedKind(f.Kind) }

// OfProgram keeps the frames of managed code that is the program's: not an engine's builtins, and not what
// Node brings, whose files are called node:NAME, or internal/NAME before Node 16. Code of Java may have been
// stripped of its files, but the classes that a virtual machine makes are no program's.
func OfProgram(f *Frame) bool {
	if f.Kind == runtimes.Java && f.File == "" {
		return f.Name != "" && !generated.MatchString(f.Name)
	}
	return Managed(f) && f.File != "" && !strings.HasPrefix(f.File, "node:") &&
		!strings.HasPrefix(f.File, "internal/") && f.Tier != "builtin"
}

// generated are the names of methods of classes that a virtual machine makes.
var generated = regexp.MustCompile(`\$\$Lambda|\$Proxy[0-9]|LambdaForm\$|Generated(Method|Constructor|SerializationConstructor)Accessor|/0x`)

func managedKind(k runtimes.Kind) bool {
	return k == runtimes.JS || k == runtimes.Java || k == runtimes.Wasm || k == runtimes.API
}

// ManagedOnly returns the stack without the frames that are not managed.
func (s *Stack) ManagedOnly() *Stack {
	less := *s
	less.Frames = nil
	for i := range s.Frames {
		if Managed(&s.Frames[i]) {
			less.Frames = append(less.Frames, s.Frames[i])
		}
	}
	return &less
}

// Native keeps the frames of machine code, the glue of runtimes included.
func Native(f *Frame) bool { return !Managed(f) }

func baseName(path string) string { return core.BaseName(path) }

// A Worth says how well a frame answers the caller's question; see Options.Best.
type Worth int

// Enough is the worth of a frame that ends a walk.
const Enough Worth = 1 << 30
