package bundle

import (
	"slices"

	"coredbg/core"
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

// redactMinidump is redactNotes for what a minidump has of that.
func (c *plannedCore) redactMinidump(p *core.Process, r *redaction) {
	private := minidump.PrivateOf(c.src)
	wiped := 0
	for _, s := range private.Strings {
		c.wiped = append(c.wiped, fileRange{s.Off, s.Off + s.Size})
		wiped++
	}
	for _, s := range private.Lines {
		c.masked = append(c.masked, fileRange{s.Off, s.Off + s.Size})
	}
	seen := map[int64]bool{}
	for _, x := range private.Contexts {
		if seen[x.General.Off] {
			continue // of the thread that died, as writers may say twice
		}
		seen[x.General.Off] = true
		b, _ := core.SourceSlice(c.src, x.General.Off, int(x.General.Size))
		c.redactRegisters(p, r, x.General.Off, b)
		for _, v := range x.Vectors {
			c.wiped = append(c.wiped, fileRange{v.Off, v.Off + v.Size})
		}
		if len(x.Vectors) > 0 {
			r.vectors++
		}
		if x.Flag >= 0 {
			c.cleared = append(c.cleared, clearedBits{x.Flag, x.Bits})
		}
	}
	r.places += wiped
}

// clearedBits are bits of a byte of a part that are 0 in the bundle.
type clearedBits struct {
	at   int64
	bits byte
}

// clear clears the bits that are to be of data, which is at offset at.
func (p *plannedPart) clear(data []byte, at int64) {
	for _, c := range p.cleared {
		if i := c.at - at; i >= 0 && i < int64(len(data)) {
			data[i] &^= c.bits
		}
	}
}
