package v8

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/walk"
)

// An Undecoded is a V8 that is in the process and cannot be decoded. It has nothing to
// offer but its name, its version and the reason, and where its heap is not there what frames
// say of themselves.
type Undecoded struct {
	version string
	module  *core.Module // nil if it is not known which image it is in
	heap    heapLook
	// builtins are those that isolates call, if the image is not at hand; else nil.
	builtins *embedded.Builtins
	reasons  []string
	// bare decodes frames without the heap; nil where that is there.
	bare func(*walk.Frame) []runtimes.SourceFrame
}

// Name returns "v8".
func (u *Undecoded) Name() string { return "v8" }

// Version returns V8's version as V8 prints it, or "unknown".
func (u *Undecoded) Version() string {
	if u.version == "" {
		return "unknown"
	}
	return u.version
}

// Module returns the image that V8 is part of, nil if it is not known.
func (u *Undecoded) Module() *core.Module { return u.module }

// Undecoded says why V8 cannot be decoded.
func (u *Undecoded) Undecoded() string { return strings.Join(u.reasons, "; ") }

// Error is that, with what it is about.
func (u *Undecoded) Error() string {
	s := "V8"
	if u.version != "" {
		s += " " + u.version
	}
	if u.module != nil {
		s += " in " + u.module.Path
	}
	return s + " cannot be decoded: " + u.Undecoded()
}

// Warnings repeats the reason.
func (u *Undecoded) Warnings() []core.Warning {
	return []core.Warning{{Place: "v8", Text: u.Error()}}
}

func (u *Undecoded) because(format string, args ...any) {
	u.reasons = append(u.reasons, fmt.Sprintf(format, args...))
}

// Begin implements runtimes.FrameDecoder: unwinding needs no more than frame pointers.
func (u *Undecoded) Begin(*core.Thread) walk.Unwinder { return noUnwinder{} }

// Decode returns what the frame f is by its words, if it is one of V8's generated code and the heap is
// not in what was kept of the process.
func (u *Undecoded) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	if u.bare == nil {
		return nil, nil
	}
	return u.bare(f), nil
}

// A noUnwinder knows no frames.
type noUnwinder struct{}

// Next implements walk.Unwinder.
func (noUnwinder) Next(core.Addr) (walk.Frame, bool) { return walk.Frame{}, false }

// Step implements walk.Unwinder.
func (noUnwinder) Step(*walk.Frame) (walk.Frame, any, error) {
	return walk.Frame{}, nil, walk.ErrDecline
}

// heapLeftOut says why no page of a heap is in what was kept of the process; "" if the process
// may have had none.
func heapLeftOut(p *core.Process) string {
	why := p.Space.Elsewhere
	for _, s := range p.Space.Segments() {
		if s.Gap == core.NotInDump || s.Gap == core.LeftOut {
			why = s.Gap
		}
	}
	switch why {
	case core.NotInDump:
		return "its heap is not in this dump, which has chosen memory only, such as stacks"
	case core.LeftOut:
		return "its heap was left out of the bundle"
	}
	return ""
}

// maxCrashKeys bounds those that a reason has, and their values in bytes.
const (
	maxCrashKeys     = 8
	maxCrashKeyBytes = 64
)

// crashKeys says what the program gave its crash reporter about V8: Chromium names the
// isolate and pages of its heap.
func (u *Undecoded) crashKeys(p *core.Process) {
	var said []string
	for _, a := range p.Annotations {
		if strings.HasPrefix(strings.ToLower(a.Name), "v8") && len(said) < maxCrashKeys && len(a.Value) <= maxCrashKeyBytes {
			said = append(said, a.Name+" "+a.Value)
		}
	}
	if len(said) > 0 {
		u.because("of V8 the program told its crash reporter %s", strings.Join(said, ", "))
	}
}
