package lang

import (
	"context"
	"fmt"

	"coredbg/core"
)

// modify runs what the first letter of a format list may ask for: a search
// ("l", "L", "M"), or a write ("v", "w", "W", "Z" with values), which is
// refused. Done is false if the list is a plain format.
func (in *Interp) modify(ctx context.Context, s *stage, inv *Invocation) (done bool, err error) {
	if len(s.words) == 0 || s.args[0].Text == "" || s.words[0][0].Quote != 0 {
		return false, nil
	}
	letter := s.args[0].Text[0]
	switch letter {
	case 'v', 'w', 'W', 'Z':
		if len(s.args) > 1 && len(s.args[0].Text) == 1 {
			return true, Abort(fmt.Errorf("%s%c: the target is read-only", s.name, letter))
		}
	case 'l', 'L', 'M':
		return true, in.search(ctx, s, inv, map[byte]int{'l': 2, 'L': 4, 'M': 8}[letter])
	}
	return false, nil
}

// search looks for a value from dot on, in steps of its size, and moves dot to
// where it was found or where reading failed.
func (in *Interp) search(ctx context.Context, s *stage, inv *Invocation, size int) error {
	if !inv.First { // a count does not repeat a search
		return nil
	}
	args := s.args[1:]
	if rest := s.args[0].Text[1:]; rest != "" { // the value follows the letter directly
		args = append([]Arg{{Text: rest}}, args...)
	}
	if len(args) < 1 || len(args) > 2 {
		return usage("%s%c needs a value, and may have a mask", s.name, s.args[0].Text[0])
	}
	value, err := in.argValue(args[0])
	if err != nil {
		return err
	}
	mask := ^uint64(0) >> uint(64-8*size)
	if len(args) > 1 {
		if mask, err = in.argValue(args[1]); err != nil {
			return err
		}
	}
	at := uint64(inv.Dot)
	in.expr.at.inc = 0
	buf := make([]byte, 64<<10)
	for ctx.Err() == nil {
		n, err := in.host.Read(buf, core.Addr(at), s.name == "?")
		for i := 0; i+size <= n; i += size {
			if in.expr.uint(buf[i:i+size])&mask == value {
				in.expr.at.dot = at + uint64(i)
				return inv.Emit(in.NewValue(in.expr.at.dot))
			}
		}
		at += uint64(n - n%size)
		if err != nil {
			in.expr.at.dot = at
			return fmt.Errorf("%#x was not found from %v on: %w", value, inv.Dot, err)
		}
	}
	return ctx.Err()
}

func (in *Interp) argValue(a Arg) (uint64, error) {
	if a.IsNum {
		return a.Num, nil
	}
	return in.Expr(a.Text)
}
