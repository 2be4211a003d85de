package view

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// The runtime's type record (internal/abi/type.go; runtime/type.go before Go 1.21; on machines with 8-byte
// pointers): flags, its kind, the offset of its name among names, and after a pointer's record its target type.
const (
	rtypeFlags  = 20
	rtypeKind   = 23
	rtypeName   = 40
	rtypeElem   = 48
	itabType    = 8
	rtypeStar   = 1 << 1 // of the flags: the name begins with one too many
	rtypeNamed  = 1 << 2
	rtypeDirect = 1 << 5 // an interface has the value in the place of its address; a bit of the kind before Go 1.26
	goPointer   = 22
)

// errNilInterface says that an interface has no value.
var errNilInterface = errors.New("the interface is nil")

// goHeld returns the value in an interface under its own type, and the kind of that. It fails with
// errNilInterface if there is none, and with errNoPart if its type is not known.
func goHeld(s *commands.Session, v dwarf.Value) (held dwarf.Value, kind uint8, err error) {
	data, ok := follow(v, []string{"data"})
	if !ok || v.Frame().Arch.PtrSize != 8 {
		return v, 0, errNoPart
	}
	at, err1 := numberAt(v, []string{"_type"})
	if errors.Is(err1, errNoPart) {
		var tab uint64
		if tab, err1 = numberAt(v, []string{"tab"}); err1 == nil && tab != 0 {
			c := core.NewCursor(v.Frame().Mem, v.Frame().Arch.Order, 8)
			at, err1 = uint64(c.Pointer(core.Addr(tab)+itabType)), c.Err()
		}
	}
	word, err2 := data.Pointer()
	if err := cmp.Or(err1, err2); err != nil {
		return v, 0, err
	}
	if at == 0 {
		return v, 0, errNilInterface
	}
	t, kind, direct, err := goRuntimeType(s, v.Frame(), core.Addr(at), 0)
	switch {
	case err != nil || t == nil:
		return v, 0, errNoPart
	case direct:
		return data.As(t), kind, nil
	}
	return v.Frame().At(t, word), kind, nil
}

// goRuntimeType returns the type that the runtime describes at an address, its kind, and whether an
// interface has such a value in the place of its address.
func goRuntimeType(s *commands.Session, f *dwarf.Frame, at core.Addr,
	depth int) (t *dwarf.Type, kind uint8, direct bool, err error) {
	c := core.NewCursor(f.Mem, f.Arch.Order, 8)
	flags, kind, offset, elem := c.U8(at+rtypeFlags), c.U8(at+rtypeKind), c.U32(at+rtypeName), c.Pointer(at+rtypeElem)
	types, ok := s.Symbols.Find("", "runtime.types")
	switch {
	case c.Err() != nil:
		return nil, 0, false, c.Err()
	case !ok || depth > MaxWrapped:
		return nil, 0, false, errors.New("where the types of Go begin is not known")
	}
	direct = (flags|kind)&rtypeDirect != 0
	if kind &= rtypeDirect - 1; kind == goPointer && flags&rtypeNamed == 0 {
		if t, _, _, err = goRuntimeType(s, f, elem, depth+1); err != nil {
			return nil, 0, false, err
		}
		return t.PointerTo(), kind, direct, nil
	}
	program.InModules(s, "", func(m *core.Module, d *dwarf.Data) bool {
		if t = d.GoDescribed(uint64(at - m.Facts().Bias)); t == nil {
			t = d.GoDescribed(uint64(at - types.Addr))
		}
		return t != nil
	})
	if t == nil {
		name, err := goName(c, types.Addr+core.Addr(offset), flags&rtypeStar != 0)
		if err != nil {
			return nil, 0, false, err
		}
		return nil, 0, false, fmt.Errorf("no type that the runtime calls %s is known", name)
	}
	return t, kind, direct, nil
}

// maxGoName is how long the name of a type may be.
const maxGoName = 4096

// goName returns a name as the runtime keeps it since Go 1.17: a byte of flags, its length, and its
// bytes (internal/abi/type.go, Name).
func goName(c *core.Cursor, at core.Addr, star bool) (string, error) {
	n, digits := 0, core.Addr(1)
	for ; digits <= 2; digits++ {
		b := c.U8(at + digits)
		n |= int(b&0x7f) << (7 * (digits - 1))
		if b&0x80 == 0 {
			break
		}
	}
	if c.Err() != nil {
		return "", c.Err()
	}
	if digits > 2 || n == 0 || n > maxGoName {
		return "", errors.New("the name of a type of Go is too long")
	}
	b := make([]byte, n)
	c.Bytes(b, at+1+digits)
	name := string(b)
	if star {
		name = strings.TrimPrefix(name, "*")
	}
	return name, c.Err()
}
