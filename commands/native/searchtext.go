package native

import (
	"bytes"
	"context"

	"coredbg/commands"
	"coredbg/core"
)

// findText returns where text begins in the first size bytes of b. With fold, ASCII letters
// match in either case, and all other bytes as they are.
func findText(b []byte, size int, text []byte, fold bool) []int {
	if fold {
		b, text = lowerASCII(b), lowerASCII(text)
	}
	var hits []int
	for i := 0; ; {
		j := bytes.Index(b[i:], text)
		if j < 0 || i+j >= size {
			return hits
		}
		hits = append(hits, i+j)
		i += j + 1
	}
}

func runFindstr(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	if len(c.Args) != 1 || c.Text(c.Args[0]) == "" {
		return c.Usage("it needs the text to look for")
	}
	limit, err := c.Int('l', 1<<31-1)
	if err != nil {
		return err
	}
	text := []byte(c.Text(c.Args[0]))
	fold := c.Flag('i')
	from, to := core.Addr(0), ^core.Addr(0)
	for _, o := range []struct {
		letter byte
		bound  *core.Addr
	}{{'f', &from}, {'t', &to}} {
		if a, ok := c.Opt(o.letter); ok {
			v, err := c.Value(a)
			if err != nil {
				return err
			}
			*o.bound = core.Addr(v)
		}
	}
	const around = 60 // bytes of text shown after the start of a hit
	type hit struct {
		at   core.Addr
		text string
	}
	find := func(b []byte, k chunk) []hit {
		var hits []hit
		for _, i := range findText(b, k.size, text, fold) {
			hits = append(hits, hit{k.start + core.Addr(i), excerpt(b, i, len(text)+around)})
		}
		return hits
	}
	ptr := 8
	if p.Arch != nil {
		ptr = p.Arch.PtrSize
	}
	all := within(chunks(p, len(text)+around, bytes.IndexByte(text, 0) >= 0), from, to)
	err = search(ctx, p, all, find, func(h hit) error {
		if h.at < from || h.at >= to || to-h.at < core.Addr(len(text)) {
			return nil
		}
		if limit--; limit < 0 {
			return errLimit
		}
		return c.Emit(&hitRecord{At: h.at, Str: h.text, Place: place(c.Session, h.at), ptr: ptr})
	})
	return orShortened(c.Session, err)
}

// lowerASCII returns a copy of b with its ASCII letters in lower case, byte
// for byte.
func lowerASCII(b []byte) []byte {
	low := make([]byte, len(b))
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	return low
}

// excerpt returns the text around b[i]: from the printable bytes before it to
// the first that is not, at most n bytes from i on.
func excerpt(b []byte, i, n int) string {
	const before = 16
	lo, hi := i, i
	for lo > 0 && i-lo < before && printableByte(b[lo-1]) {
		lo--
	}
	for hi < len(b) && hi-i < n && printableByte(b[hi]) {
		hi++
	}
	return string(b[lo:hi])
}

func printableByte(c byte) bool { return c >= 0x20 && c < 0x7f }
