package values

import (
	"bytes"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A piece is text of a format, or a conversion.
type piece struct {
	text    string
	verb    byte
	left    bool
	zeros   bool
	pointer bool // the width is a pointer's
	width   int
	ptr     int
}

// maxWidth bounds a field, in columns.
const maxWidth = 4096

// parseFormat cuts a format into pieces, by the state machine of MDB.
func parseFormat(f string) ([]piece, error) {
	var all []piece
	text := ""
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			text += f[i : i+1]
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			text += "%"
			continue
		}
		var p piece
		if i < len(f) && f[i] == '-' {
			p.left = true
			i++
		}
		if i < len(f) && f[i] == '?' {
			p.pointer = true
			i++
		} else {
			p.zeros = i < len(f) && f[i] == '0'
			for ; i < len(f) && '0' <= f[i] && f[i] <= '9'; i++ {
				p.width = min(p.width*10+int(f[i]-'0'), maxWidth)
			}
		}
		if i >= len(f) || strings.IndexByte("aApdqRIHoruxXsY", f[i]) < 0 {
			near := "end"
			if i < len(f) {
				r, _ := utf8.DecodeRuneInString(f[i:])
				near = strconv.QuoteRune(r)
			}
			return nil, fmt.Errorf("illegal format string at or near %s (position %d)", near, i+1)
		}
		p.verb = f[i]
		all = append(all, piece{text: text}, p)
		text = ""
	}
	return append(all, piece{text: text}), nil
}

// pad fills a field.
func (p *piece) pad(s string) string {
	width := p.width
	if p.pointer {
		width = 2 * p.ptr
	}
	n := width - out.Width(s)
	switch {
	case n <= 0:
		return s
	case p.left:
		return s + strings.Repeat(" ", n)
	case p.zeros && strings.HasPrefix(s, "-"):
		return "-" + strings.Repeat("0", n) + s[1:]
	case p.zeros:
		return strings.Repeat("0", n) + s
	}
	return strings.Repeat(" ", n) + s
}

// printMember formats a member of the type at dot.
func printMember(c *commands.Call, p piece, t *cType, member string) (string, error) {
	if member == "." {
		if strings.IndexByte("sIY", p.verb) >= 0 {
			return "", lang.Abort(fmt.Errorf("expected integer or pointer format specifier for '.'"))
		}
		return integer(c, p, uint64(c.Dot), false), nil
	}
	n, err := index(member)
	if err != nil || t.elem == nil {
		return "", lang.Abort(fmt.Errorf("%s has no member %s; arrays and pointers have elements, as [0]",
			t.name, member))
	}
	at := c.Dot
	if t.kind == cPointer {
		v, err := readInteger(c, at, t.size, false)
		if err != nil {
			return "", err
		}
		at = core.Addr(v)
	} else if n*uint64(t.elem.size) >= uint64(t.size) {
		return "", lang.Abort(fmt.Errorf("%s has no element %s", t.name, member))
	}
	return element(c, p, t.elem, at+core.Addr(n*uint64(t.elem.size)))
}

// element formats the memory at an address.
func element(c *commands.Call, p piece, t *cType, at core.Addr) (string, error) {
	expected := func(what string) error { return lang.Abort(fmt.Errorf("expected %s, not %s", what, t.name)) }
	switch {
	case p.verb == 's':
		if t.kind != cPointer || t.elem.kind != cInteger || t.elem.size != 1 {
			return "", expected("a pointer to characters")
		}
	case strings.IndexByte("aAp", p.verb) >= 0 && t.size != p.ptr:
		return "", expected("a pointer")
	case p.verb == 'I' && t.size != 4:
		return "", expected("a 32-bit integer type")
	case t.kind == cFloat:
		return "", expected("an integer type")
	}
	signed := t.signed && strings.IndexByte("dqR", p.verb) >= 0
	v, err := readInteger(c, at, t.size, signed)
	if err != nil {
		return "", err
	}
	if p.verb == 's' {
		return cString(c, core.Addr(v))
	}
	return integer(c, p, v, signed), nil
}

// integer formats a number.
func integer(c *commands.Call, p piece, v uint64, signed bool) string {
	radix := c.Session.Lang.Radix()
	switch p.verb {
	case 'a', 'A':
		if name, off, ok := c.Session.Name(core.Addr(v)); ok {
			if off != 0 {
				name += "+0x" + strconv.FormatUint(off, 16)
			}
			return name
		}
		return "0x" + strconv.FormatUint(v, 16)
	case 'd':
		if signed {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatUint(v, 10)
	case 'q':
		return strconv.FormatInt(int64(v), 8)
	case 'R':
		return strconv.FormatInt(int64(v), radix)
	case 'r':
		return strconv.FormatUint(v, radix)
	case 'u':
		return strconv.FormatUint(v, 10)
	case 'o':
		return strconv.FormatUint(v, 8)
	case 'X':
		return strings.ToUpper(strconv.FormatUint(v, 16))
	case 'H':
		return humanSize(v)
	case 'I':
		order, _ := pointerOf(c)
		var b [4]byte
		order.PutUint32(b[:], uint32(v))
		return netip.AddrFrom4(b).String()
	case 'Y':
		return time.Unix(int64(v), 0).UTC().Format("2006 Jan _2 15:04:05")
	}
	return strconv.FormatUint(v, 16)
}

// humanSize is MDB's nicenum: at most five characters.
func humanSize(v uint64) string {
	i, n := 0, v
	for n >= 1024 && i < 6 {
		n /= 1024
		i++
	}
	unit := " KMGTPE"[i : i+1]
	switch shift := uint(10 * i); {
	case i == 0:
		return strconv.FormatUint(v, 10)
	case v&(1<<shift-1) == 0:
		return strconv.FormatUint(n, 10) + unit
	default:
		for digits := 2; ; digits-- {
			s := strconv.FormatFloat(float64(v)/math.Ldexp(1, int(shift)), 'f', digits, 64) + unit
			if len(s) <= 5 || digits == 0 {
				return s
			}
		}
	}
}

// readInteger reads a number of 1, 2, 4 or 8 bytes.
func readInteger(c *commands.Call, at core.Addr, size int, signed bool) (uint64, error) {
	var b [8]byte
	if _, err := c.Session.Process.Space.ReadAt(b[:size], at); err != nil {
		return 0, fmt.Errorf("failed to read %d bytes at %v: %w", size, at, err)
	}
	order, _ := pointerOf(c)
	var v uint64
	switch size {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(order.Uint16(b[:]))
	case 4:
		v = uint64(order.Uint32(b[:]))
	default:
		v = order.Uint64(b[:])
	}
	if shift := uint(64 - 8*size); signed {
		v = uint64(int64(v<<shift) >> shift)
	}
	return v, nil
}

// maxText bounds a string, as MDB does.
const maxText = 1023

func cString(c *commands.Call, at core.Addr) (string, error) {
	b := make([]byte, maxText)
	n, err := c.Session.Process.Space.ReadAt(b, at)
	if i := bytes.IndexByte(b[:n], 0); i >= 0 {
		return string(b[:i]), nil
	}
	if err != nil {
		return "", fmt.Errorf("failed to read string at %v: %w", at, err)
	}
	return string(b[:n]), nil
}
