package abort

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"coredbg/core"
)

// A reader reads words and texts of the process.
type reader struct{ p *core.Process }

// word is the size of a pointer in bytes.
func (f reader) word() core.Addr { return core.Addr(f.p.Arch.PtrSize) }

// text reads n bytes of UTF-8 that people can read.
func (f reader) text(a core.Addr, n uint64, most uint64) (string, bool) {
	if n == 0 || n > most {
		return "", false
	}
	b, err := core.TextBytes(f.p.Space, a, n)
	if err != nil || !utf8.Valid(b) {
		return "", false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return "", false
		}
	}
	return string(b), true
}

// stackWords reads the words of a stack between two addresses.
func (f reader) stackWords(ctx context.Context, from, to core.Addr) []core.Addr {
	var out []core.Addr
	cur, w := f.p.Cursor(), f.word()
	for at := from &^ (w - 1); at < min(to, from+panicStack) && ctx.Err() == nil; at += w {
		v := cur.Pointer(at)
		if cur.Reset() != nil {
			break
		}
		out = append(out, v)
	}
	return out
}

// isConstant reports whether an address is in the part of a library that is never written.
func (f reader) isConstant(m *core.Module, at core.Addr) bool {
	if at < m.Start || at >= m.End {
		return false
	}
	g, ok := f.p.Mapping(at)
	return !ok || g.Prot&core.Write == 0
}

// line returns the text at an address without space around it, "" if there is none.
func (f reader) line(at core.Addr, most int) string {
	if at == 0 {
		return ""
	}
	cur := f.p.Cursor()
	text := strings.TrimSpace(cur.CString(at, most))
	if cur.Err() != nil || !isText(text) {
		return ""
	}
	return text
}

// onHeap reports whether a is in memory that the program writes, but in no stack and
// no file.
func (f reader) onHeap(a core.Addr) bool {
	m, ok := f.p.Mapping(a)
	return ok && m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]")
}

// refersTo reports whether the code of a frame refers to a text that begins with one of those
// given: relative to the instruction, or by its address in 4 bytes.
func (f reader) refersTo(pc core.Addr, texts ...string) bool {
	if f.p.Arch.Order != binary.LittleEndian || pc < codeReach {
		return false
	}
	m := f.p.Module(pc)
	if m == nil {
		return false
	}
	code, err := core.ReadBytes(f.p.Space, pc-codeReach, codeReach)
	if err != nil {
		return false
	}
	for i := 0; i+4 <= len(code); i++ {
		v := binary.LittleEndian.Uint32(code[i:])
		next := pc - codeReach + core.Addr(i+4)
		for _, at := range []core.Addr{next.Add(int64(int32(v))), core.Addr(v)} {
			if at < m.Start || at >= m.End || f.p.Executable(at) {
				continue
			}
			b, _ := f.p.Space.Slice(at, 32)
			for _, t := range texts {
				if bytes.HasPrefix(b, []byte(t)) {
					return true
				}
			}
		}
	}
	return false
}
