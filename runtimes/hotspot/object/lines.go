package object

import "coredbg/core"

// maxLines bounds the entries of a table of lines; a method has up to 65,535 bytes of code.
const maxLines = 1 << 16

// Line returns the line of a bytecode, 0 if its class file does not say it.
func (m *Method) Line(bci int) int {
	if !m.lines || m.Native {
		return 0
	}
	s := NewStream(m.r.Tables.Process, m.Code+core.Addr(m.CodeSize), m.r.Java())
	at, line, best, bestAt := 0, 0, 0, -1
	for range maxLines {
		b := s.byte()
		switch b {
		case 0:
			return best
		case 0xff:
			at += s.Signed()
			line += s.Signed()
		default:
			at += int(b >> 3)
			line += int(b & 7)
		}
		if s.Err() != nil {
			return 0
		}
		switch {
		case at == bci:
			return line
		case at < bci && at >= bestAt:
			best, bestAt = line, at
		}
	}
	return 0
}
