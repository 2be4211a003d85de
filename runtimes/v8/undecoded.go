package v8

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// An Undecoded is a V8 that is in the process and cannot be decoded. It has nothing to
// offer but its name, its version and the reason.
type Undecoded struct {
	version string
	module  *core.Module // nil if it is not known which image it is in
	heap    heapLook
	reasons []string
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
