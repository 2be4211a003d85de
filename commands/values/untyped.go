package values

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// mostBytes bounds the bytes that are shown of a symbol whose size is no integer's.
const mostBytes = 32

// integers are the integers that symbols without a type are taken for, by their sizes in bytes.
var integers = map[uint64]string{1: "signed char", 2: "short", 4: "int", 8: "long long"}

// untypedValue returns the record of a data symbol that debugging information does not describe. It is nil for other names, and
// for errno, whose type the standard of C says.
func untypedValue(ctx context.Context, c *commands.Call, w *viewer, name string) (*valueRecord, error) {
	s := c.Session
	base, steps, err := parsePath(name[strings.LastIndexByte(name, '`')+1:])
	if err != nil || len(steps) > 0 || base == "" || base == "errno" || s.Process.Arch == nil || s.Symbols == nil {
		return nil, nil
	}
	_, why := named(ctx, s, name)
	if why == nil {
		return nil, nil
	}
	x, ok := untyped(s, name, why)
	if !ok || x.Kind == core.SymFunc {
		return nil, nil
	}
	e, err := newEvaluator(ctx, s)
	if err != nil {
		return nil, err
	}
	v, err := e.symbol(x)
	if err != nil {
		return nil, err
	}
	r := &valueRecord{Name: name, Untyped: unsaid(x), size: x.Size, value: v}
	r.At, r.isDot = v.Addr()
	r.dot = r.At
	if integers[x.Size] == "" {
		r.Value = w.firstBytes(r.At, x.Size)
	} else if r.Value = w.number(&node{addr: r.At}, v, true); r.Value.kind == scalar {
		u, _ := v.Uint()
		if r.dot = core.Addr(u); !w.hex {
			r.Value.note = "0x" + strconv.FormatUint(u, 16)
		}
	}
	s.Partial = s.Partial || w.lost
	return r, nil
}

// unsaid is why the type of a symbol is not known.
func unsaid(x sym.Symbol) string {
	if x.Module == nil {
		return "no debugging information describes the symbol"
	}
	return "no debugging information of " + x.Module.Name() + " describes the symbol"
}

// untyped returns the symbol that has a name for which there is no variable. A symbol whose module has debugging information that
// could not be read in full is another matter: a variable of that name may be there.
func untyped(s *commands.Session, name string, why error) (sym.Symbol, bool) {
	object, plain, ok := strings.Cut(name, "`")
	if !ok {
		object, plain = "", name
	}
	x, found := s.Symbols.Find(object, plain)
	if !found {
		return x, false
	}
	if errors.Is(why, core.ErrUnknown) && x.Kind != core.SymFunc && x.Module != nil {
		_, err := s.Symbols.Data(x.Module)
		return x, errors.Is(err, dwarf.ErrNone)
	}
	return x, true
}

// firstBytes is a node of the first bytes of a symbol.
func (w *viewer) firstBytes(at core.Addr, size uint64) *node {
	n := &node{kind: array, addr: at}
	b, err := core.ReadBytes(w.s.Process.Space, at, min(size, mostBytes))
	if err != nil {
		return w.unknownNode(n, err)
	}
	for i, c := range b {
		n.list = append(n.list, &node{addr: at + core.Addr(i), text: fmt.Sprintf("%02x", c), json: uint64(c)})
	}
	n.more = int64(min(size-uint64(len(b)), math.MaxInt64))
	return n
}

// nameErrno gives a value of errno the name of its error.
func nameErrno(s *commands.Session, name string, n *node, v dwarf.Value) {
	if t := v.Type.Strip(); name != "errno" || t == nil || t.Kind != dwarf.Base || n.kind != scalar {
		return
	}
	if i, err := v.Int(); err == nil {
		n.constant = s.Process.ErrnoName(i)
		n.note = n.constant
	}
}
