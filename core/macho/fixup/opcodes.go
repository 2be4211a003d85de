package fixup

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// opcodes are the fixups of an LC_DYLD_INFO: programs for a machine that moves over the segments. They
// are run anew for each page, so that nothing has to be kept; a run over many pointers costs as much as
// the pointers in the page.
type opcodes struct {
	path               string
	rebase, bind, weak []byte
}

// maxOpcodes bounds the opcodes, in bytes, which are run for each page that is read. A browser has 2
// MB.
const maxOpcodes = 8 << 20

var errOpcodes = errors.New("the opcodes of its fixups are cut off")

// Opcodes returns the fixups of an LC_DYLD_INFO from its programs for rebasing, binding and weak
// binding.
func Opcodes(img Image, rebase, bind, weak []byte) Fixer {
	return &opcodes{path: img.Path, rebase: rebase, bind: bind, weak: weak}
}

// Page implements Fixer.
func (o *opcodes) Page(int) uint64 { return PageSize }

// Fixups implements Fixer.
func (o *opcodes) Fixups(seg int, off uint64, data []byte, yield func(Fixup)) error {
	if len(o.rebase)+len(o.bind)+len(o.weak) > maxOpcodes {
		return fmt.Errorf("%s: it has more than %d MiB of opcodes for its fixups", o.path, maxOpcodes>>20)
	}
	m := opMachine{want: seg, lo: off, data: data, yield: yield}
	if err := m.runRebase(o.rebase); err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	for i, b := range [][]byte{o.bind, o.weak} {
		m.seg, m.off, m.imp, m.addend, m.kind = -1, 0, Import{}, 0, 1
		if i == 1 {
			m.imp.Library = LibraryWeak
		}
		if err := m.runBind(b); err != nil {
			return fmt.Errorf("%s: %w", o.path, err)
		}
	}
	return nil
}

// An opMachine runs the opcodes of mach-o/loader.h.
type opMachine struct {
	want  int // the segment that is asked for
	lo    uint64
	data  []byte
	yield func(Fixup)

	b      core.Buf // the opcodes
	seg    int
	off    uint64
	kind   byte // 1 pointer
	imp    Import
	addend int64
}

// repeat fixes n pointers up that lie step bytes from each other, and goes on
// after them. Linkers write steps back as steps around the address space.
func (m *opMachine) repeat(n, step uint64, bind bool) {
	at := m.off
	m.off += n * step
	if m.seg != m.want || m.kind != 1 || n == 0 {
		return
	}
	end := m.lo + uint64(len(m.data))
	if at < m.lo && n > 1 && step > 0 && step < 1<<40 {
		skip := min((m.lo-at+step-1)/step, n)
		at, n = at+skip*step, n-skip
	}
	for ; n > 0 && at >= m.lo && at < end && end-at >= 8; n, at = n-1, at+step {
		if bind {
			imp := m.imp
			m.yield(Fixup{Off: at, Size: 8, Bound: &imp, Addend: m.addend})
		} else {
			m.yield(Fixup{Off: at, Size: 8, Target: le.Uint64(m.data[at-m.lo:])})
		}
		if step == 0 || step >= 1<<40 {
			return
		}
	}
}

func (m *opMachine) runRebase(b []byte) error {
	m.b, m.seg, m.kind = core.Buf{Data: b}, -1, 1
	for m.b.More() {
		code := m.b.U8()
		op, imm := code&0xf0, uint64(code&0xf)
		switch op {
		case 0x00: // DONE
			return nil
		case 0x10: // SET_TYPE_IMM
			m.kind = byte(imm)
		case 0x20: // SET_SEGMENT_AND_OFFSET_ULEB
			m.seg, m.off = int(imm), m.b.ULEB()
		case 0x30: // ADD_ADDR_ULEB
			m.off += m.b.ULEB()
		case 0x40: // ADD_ADDR_IMM_SCALED
			m.off += imm * 8
		case 0x50: // DO_REBASE_IMM_TIMES
			m.repeat(imm, 8, false)
		case 0x60: // DO_REBASE_ULEB_TIMES
			m.repeat(m.b.ULEB(), 8, false)
		case 0x70: // DO_REBASE_ADD_ADDR_ULEB
			m.repeat(1, 8+m.b.ULEB(), false)
		case 0x80: // DO_REBASE_ULEB_TIMES_SKIPPING_ULEB
			n := m.b.ULEB()
			m.repeat(n, 8+m.b.ULEB(), false)
		default:
			return fmt.Errorf("the opcode %#x of its fixups is unknown", code)
		}
		if m.b.Bad {
			return errOpcodes
		}
	}
	return nil
}

func (m *opMachine) runBind(b []byte) error {
	m.b = core.Buf{Data: b}
	for m.b.More() {
		code := m.b.U8()
		op, imm := code&0xf0, uint64(code&0xf)
		switch op {
		case 0x00: // DONE
			return nil
		case 0x10: // SET_DYLIB_ORDINAL_IMM
			m.imp.Library = int(imm)
		case 0x20: // SET_DYLIB_ORDINAL_ULEB
			m.imp.Library = int(m.b.ULEB() & (1<<31 - 1))
		case 0x30: // SET_DYLIB_SPECIAL_IMM: the low bits of a negative number
			m.imp.Library = int(signed(imm, 4))
		case 0x40: // SET_SYMBOL_TRAILING_FLAGS_IMM
			name := m.b.CString()
			m.imp.Name = string(name[:min(len(name), format.MaxSymbolName)])
		case 0x50: // SET_TYPE_IMM
			m.kind = byte(imm)
		case 0x60: // SET_ADDEND_SLEB
			m.addend = m.b.SLEB()
		case 0x70: // SET_SEGMENT_AND_OFFSET_ULEB
			m.seg, m.off = int(imm), m.b.ULEB()
		case 0x80: // ADD_ADDR_ULEB
			m.off += m.b.ULEB()
		case 0x90: // DO_BIND
			m.repeat(1, 8, true)
		case 0xa0: // DO_BIND_ADD_ADDR_ULEB
			m.repeat(1, 8+m.b.ULEB(), true)
		case 0xb0: // DO_BIND_ADD_ADDR_IMM_SCALED
			m.repeat(1, 8+imm*8, true)
		case 0xc0: // DO_BIND_ULEB_TIMES_SKIPPING_ULEB
			n := m.b.ULEB()
			m.repeat(n, 8+m.b.ULEB(), true)
		default: // 0xd0, THREADED: chains of arm64e before they had a command of their own
			return fmt.Errorf("the opcode %#x of its fixups is unknown", code)
		}
		if m.b.Bad {
			return errOpcodes
		}
	}
	return nil
}
