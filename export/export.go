package export

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/builtin"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/triage"
	"coredbg/walk"
)

// A Format is a format of documents.
type Format struct {
	// Make makes the document of an open core, whose line has been made.
	Make func(context.Context, *commands.Session, *triage.Line) (any, error)
	// Join makes one document of several cores' documents and of the lines of unreadable cores; nil if
	// each core has a document of its own.
	Join func(docs []json.RawMessage, unread []*triage.Line) any
}

// Formats returns the formats by their names.
func Formats() map[string]Format {
	return map[string]Format{
		"sentry":   {Make: made(sentry)},
		"breakpad": {Make: made(breakpad)},
		"ureport":  {Make: made(ureport)},
		"otel":     {Make: made(otel)},
		"sarif":    {Make: made(sarif), Join: sarifLog},
	}
}

// Names lists the formats.
func Names() string { return strings.Join(slices.Sorted(maps.Keys(Formats())), ", ") }

// An object is one of JSON.
type object map[string]any

// set adds a key unless its value is empty.
func (o object) set(key string, v any) {
	switch x := v.(type) {
	case string:
		if x == "" {
			return
		}
	case int:
		if x == 0 {
			return
		}
	case []string:
		if len(x) == 0 {
			return
		}
	}
	o[key] = v
}

// A crash is the source of documents.
type crash struct {
	*triage.Line
	process *core.Process
	threads []*stack.Stack
	died    int // which of them; -1 if that is not known
}

// The largest numbers in a document.
const (
	maxThreads = 256
	maxFrames  = 250
)

func made(f func(*crash) object) func(context.Context, *commands.Session, *triage.Line) (any, error) {
	return func(ctx context.Context, s *commands.Session, l *triage.Line) (any, error) {
		c := &crash{Line: l, process: s.Process, died: -1}
		for rec := range s.Stacks.All(ctx, triage.Threads(s.Process, maxThreads), stack.Options{}) {
			if rec.Thread.Crashed && c.died < 0 {
				c.died = len(c.threads)
			}
			rec.Frames = rec.Frames[:min(len(rec.Frames), maxFrames)]
			c.threads = append(c.threads, rec)
		}
		return f(c), nil
	}
}

// version is this program's version.
func version() string {
	v, _ := builtin.Version()
	return v
}

// padded is an address with the width of the process' addresses.
func (c *crash) padded(a core.Addr) string {
	_, ptr := c.process.Words()
	return fmt.Sprintf("0x%0*x", 2*ptr, uint64(a))
}

// machines are the architectures in the words of uname.
var machines = map[string]string{"x86-64": "x86_64", "i386": "i686"}

func (c *crash) machine() string { return cmp.Or(machines[c.Arch], c.Arch) }

// debugID is the identifier that Breakpad derives from a build-id or UUID: its first 16 bytes. An ELF
// build-id is taken for a GUID in the byte order of the process.
func (c *crash) debugID(id []byte, mach bool) string {
	b := make([]byte, 16)
	copy(b, id)
	if order, _ := c.process.Words(); !mach && order == binary.LittleEndian {
		slices.Reverse(b[:4])
		slices.Reverse(b[4:6])
		slices.Reverse(b[6:8])
	}
	return hex.EncodeToString(b)
}

// isMach reports whether the core comes from one of Apple's systems.
func (c *crash) isMach() bool { return c.OS == "darwin" }

// image returns the module of a frame.
func (c *crash) image(f *stack.Frame) *core.Module {
	if f.Module == "" {
		return nil
	}
	for _, m := range c.process.Modules {
		if m.Path == f.Module {
			return m
		}
	}
	return nil
}

// own reports whether a frame belongs to the program and not to a library or an engine.
func (c *crash) own(f *stack.Frame) bool {
	return stack.OfProgram(f) || f.Kind == runtimes.Native && f.Module != "" && f.Module == c.Exe
}

// signalNumber returns the signal's number; 0 if there was no signal.
func (c *crash) signalNumber() int {
	if c.process.Signal == nil {
		return 0
	}
	return c.process.Signal.Number
}

// minidumpTrust is how a frame was found in the words of Breakpad.
func minidumpTrust(t walk.Trust) string {
	switch t {
	case walk.Registers:
		return "context"
	case walk.FramePointer:
		return "frame_pointer"
	case walk.Scanned:
		return "scan"
	}
	return "cfi"
}
