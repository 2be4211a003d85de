package cfi

import "coredbg/core"

// NewRow returns r as a row of an architecture, for unwind information that is
// not DWARF but says the same.
func NewRow(arch *core.Arch, r Row) *Row {
	r.arch = arch
	return &r
}
