package fit

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/walk"
)

// An Undecoded is a V8 in the process that cannot be decoded. It offers its name, its version and the reason.
// If its heap is not in the core, it also decodes frames by their own words.
type Undecoded struct {
	version string
	module  *core.Module // nil if it is not known which image it is in
	heap    heapLook
	// builtins are the builtins that isolates call, if the image is not at hand; else nil.
	builtins *embedded.Builtins
	reasons  []string
	// bare decodes frames without the heap; nil where that is there.
	bare func(*walk.Frame) []runtimes.SourceFrame
}

// Name returns "v8".
func (u *Undecoded) Name() string { return "v8" }

// Language implements runtimes.Speaker.
func (u *Undecoded) Language() runtimes.Language { return runtimes.LanguageJavaScript }

// Version returns V8's version as V8 prints it, or "unknown".
func (u *Undecoded) Version() string {
	if u.version == "" {
		return "unknown"
	}
	return u.version
}

// Module returns the image that contains V8, or nil if it is not known.
func (u *Undecoded) Module() *core.Module { return u.module }

// Undecoded says why V8 cannot be decoded.
func (u *Undecoded) Undecoded() string { return strings.Join(u.reasons, "; ") }

// Error returns the reason, preceded by its subject.
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

// Decode identifies the frame f by its words, if it is a frame of V8's generated code and the core does not
// contain the heap.
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

// heapLeftOut returns the reason that the core contains no page of a heap. It is "" if the process may have had
// no heap.
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

// maxCrashKeys bounds the crash keys in a reason, and maxCrashKeyBytes their values in bytes.
const (
	maxCrashKeys     = 8
	maxCrashKeyBytes = 64
)

// crashKeys says what the program gave its crash reporter about V8: Chromium names the
// isolate and pages of its heap.
func (u *Undecoded) crashKeys(p *core.Process) {
	var said []string
	for _, a := range p.Annotations {
		if strings.HasPrefix(strings.ToLower(a.Name), "v8") && len(said) < maxCrashKeys &&
			len(a.Value) <= maxCrashKeyBytes {
			said = append(said, a.Name+" "+a.Value)
		}
	}
	if len(said) > 0 {
		u.because("of V8 the program told its crash reporter %s", strings.Join(said, ", "))
	}
}
