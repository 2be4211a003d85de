package abort

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/core/sym"
)

// Limits of the search, in bytes.
const (
	maxStack  = 16 << 10 // of one stack
	codeReach = 1 << 10  // before a return address, for texts that the code refers to
)

// A reader reads words and texts of the process.
type reader struct {
	p       *core.Process
	symbols *sym.Table
}

// word is the size of a pointer in bytes.
func (r reader) word() core.Addr { return core.Addr(r.p.Arch.PtrSize) }

// text reads n bytes of UTF-8 that people can read.
func (r reader) text(a core.Addr, n uint64, most uint64) (string, bool) {
	if n == 0 || n > most {
		return "", false
	}
	b, err := core.TextBytes(r.p.Space, a, n)
	if err != nil || !utf8.Valid(b) {
		return "", false
	}
	for _, c := range string(b) {
		if !unicode.IsPrint(c) && c != '\n' && c != '\t' {
			return "", false
		}
	}
	return string(b), true
}

// stackWords reads the words of a stack between two addresses.
func (r reader) stackWords(ctx context.Context, from, to core.Addr) []core.Addr {
	var out []core.Addr
	cur, w := r.p.Cursor(), r.word()
	for at := from &^ (w - 1); at < min(to, from+maxStack) && ctx.Err() == nil; at += w {
		v := cur.Pointer(at)
		if cur.Reset() != nil {
			break
		}
		out = append(out, v)
	}
	return out
}

// isConstant reports whether an address is in the part of a library that is never written.
func (r reader) isConstant(m *core.Module, at core.Addr) bool {
	if at < m.Start || at >= m.End {
		return false
	}
	g, ok := r.p.Mapping(at)
	return !ok || g.Prot&core.Write == 0
}

// line returns the text at an address without space around it, "" if there is none.
func (r reader) line(at core.Addr, most int) string {
	if at == 0 {
		return ""
	}
	cur := r.p.Cursor()
	text := strings.TrimSpace(cur.CString(at, most))
	if cur.Err() != nil || !isText(text) {
		return ""
	}
	return text
}

// onHeap reports whether a is in memory that the program writes, but in no stack and
// no file.
func (r reader) onHeap(a core.Addr) bool {
	m, ok := r.p.Mapping(a)
	return ok && m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]")
}

// refersTo reports whether the code of a frame refers to a text that begins with one of those
// given: relative to the instruction, or by its address in 4 bytes.
func (r reader) refersTo(pc core.Addr, texts ...string) bool {
	if r.p.Arch.Order != binary.LittleEndian || pc < codeReach {
		return false
	}
	m := r.p.Module(pc)
	if m == nil {
		return false
	}
	code, err := core.ReadBytes(r.p.Space, pc-codeReach, codeReach)
	if err != nil {
		return false
	}
	for i := 0; i+4 <= len(code); i++ {
		v := binary.LittleEndian.Uint32(code[i:])
		next := pc - codeReach + core.Addr(i+4)
		for _, at := range []core.Addr{next.Add(int64(int32(v))), core.Addr(v)} {
			if at < m.Start || at >= m.End || r.p.Executable(at) {
				continue
			}
			b, _ := r.p.Space.Slice(at, 32)
			for _, t := range texts {
				if bytes.HasPrefix(b, []byte(t)) {
					return true
				}
			}
		}
	}
	return false
}
