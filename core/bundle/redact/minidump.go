package redact

import (
	"slices"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/span"
	"coredbg/core/minidump"
)

// A minidump has copies of arguments and environment outside of memory, and registers in
// contexts: redacting leaves these out as it does notes. Strings become zeros, vector
// registers too, and the flags of a context say then that there are none.

// given returns the strings of arguments and environment that a minidump has outside of
// memory, each with a zero after it; nil for other cores.
func given(p *core.Process, src core.Source) (text []byte) {
	if !minidump.Is(src) {
		return nil
	}
	for _, s := range slices.Concat(p.Args, p.Environ, minidump.Switches(p)) {
		text = append(append(text, s...), 0)
	}
	return text
}

// redactMinidump is redactNotes for the equivalent streams of a minidump.
func (w *work) redactMinidump() {
	private := minidump.PrivateOf(w.c.Source)
	wiped := 0
	for _, s := range private.Strings {
		w.c.Wiped = append(w.c.Wiped, span.Between(s.Off, s.Off+s.Size))
		wiped++
	}
	for _, s := range private.Lines {
		w.c.Masked = append(w.c.Masked, span.Between(s.Off, s.Off+s.Size))
	}
	seen := map[int64]bool{}
	for _, x := range private.Contexts {
		if seen[x.General.Off] {
			continue // of the thread that died, as writers may say twice
		}
		seen[x.General.Off] = true
		b, _ := core.SourceSlice(w.c.Source, x.General.Off, int(x.General.Size))
		w.redactRegisters(x.General.Off, b)
		for _, v := range x.Vectors {
			w.c.Wiped = append(w.c.Wiped, span.Between(v.Off, v.Off+v.Size))
		}
		if len(x.Vectors) > 0 {
			w.vectors++
		}
		if x.Flag >= 0 {
			w.c.Cleared = append(w.c.Cleared, bundle.ClearedBits{At: x.Flag, Bits: x.Bits})
		}
	}
	w.places += wiped
}
