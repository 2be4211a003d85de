package vmstructs

import (
	"slices"

	"coredbg/core"
)

// A VMFlag is a flag of the command line (-XX).
type VMFlag struct {
	Name string
	// "bool", "int", "uint", "intx", "uintx", "uint64_t", "size_t", "double", "ccstr", "ccstrlist"; "" if it
	// is not known
	Type   string
	Value  core.Addr // where its value is
	Origin int       // a JVMFlagOrigin: 0 is the default; -1 if it is not known
}

// flagTypes are the names of the numbers in JVMFlag::_type since JDK 16, before which it is a string
// (share/runtime/flags/jvmFlag.hpp).
var flagTypes = []string{"bool", "int", "uint", "intx", "uintx", "uint64_t", "size_t", "double", "ccstr", "ccstrlist"}

// maxFlags bounds the flags: JDK 25 has some 900.
const maxFlags = 1 << 13

// readFlags reads JVMFlag::flags (share/runtime/flags/jvmFlag.hpp), an array; before JDK 9 the type is Flag.
func (t *Tables) readFlags() (all []VMFlag) {
	for _, typ := range []string{"JVMFlag", "Flag"} {
		list, number := t.fields[typ+".flags"], t.fields[typ+".numFlags"]
		name, value, size := t.fields[typ+"._name"], t.fields[typ+"._addr"], t.sizes[typ]
		if !list.Static || !number.Static || size <= 0 || size > maxOffset {
			continue
		}
		c := t.Process.Cursor()
		at, n := c.Pointer(list.Addr), c.U64(number.Addr)
		for i := range min(n, maxFlags) {
			one := at.Add(int64(i) * size)
			s, v := c.Pointer(one.Add(name.Offset)), c.Pointer(one.Add(value.Offset))
			if text := c.CString(s, maxName); c.Reset() == nil && text != "" {
				f := VMFlag{Name: text, Value: v}
				f.Type, f.Origin = t.flagKind(c, typ, one)
				all = append(all, f)
			}
		}
	}
	return all
}

// flagKind returns the type and the origin of a flag.
func (t *Tables) flagKind(c *core.Cursor, typ string, at core.Addr) (kind string, origin int) {
	origin = -1
	if f, ok := t.fields[typ+"._flags"]; ok {
		if v := c.U32(at.Add(f.Offset)) & 0xf; c.Reset() == nil { // JVMFlag::VALUE_ORIGIN_MASK
			origin = int(v)
		}
	}
	f, ok := t.fields[typ+"._type"]
	switch {
	case !ok:
	case f.Type == "const char*":
		kind = c.CString(c.Pointer(at.Add(f.Offset)), maxName)
	default:
		if n := f.Int(c, at); n >= 0 && n < int64(len(flagTypes)) {
			kind = flagTypes[n]
		}
	}
	if c.Reset() != nil {
		return "", origin
	}
	return kind, origin
}

// Flags returns all flags, in the order of the virtual machine's table.
func (t *Tables) Flags() []VMFlag {
	t.once.Do(func() { t.flags = t.readFlags() })
	return t.flags
}

// flag returns the flag of a name.
func (t *Tables) flag(name string) (VMFlag, bool) {
	all := t.Flags()
	i := slices.IndexFunc(all, func(f VMFlag) bool { return f.Name == name })
	if i < 0 {
		return VMFlag{}, false
	}
	return all[i], true
}

// Flag returns the byte of a flag that is true or false; ok is false if the virtual machine has no such flag,
// or the core not its value.
func (t *Tables) Flag(name string) (on, ok bool) {
	f, ok := t.flag(name)
	if !ok {
		return false, false
	}
	c := t.Process.Cursor()
	v := c.U8(f.Value)
	return v != 0, c.Err() == nil
}

// FlagValue returns the eight bytes at a flag's value, which is a number if its type has 64 bits.
func (t *Tables) FlagValue(name string) (v uint64, ok bool) {
	f, ok := t.flag(name)
	if !ok {
		return 0, false
	}
	c := t.Process.Cursor()
	v = c.U64(f.Value)
	return v, c.Err() == nil
}

// Value reads a static field of an integer type; ok is false if no name is in the tables, or the value not in the
// core.
func (t *Tables) Value(names ...string) (v int64, ok bool) {
	for _, n := range names {
		f, have := t.fields[n]
		if !have || !f.Static {
			continue
		}
		c := t.Process.Cursor()
		f.Offset = 0
		v = f.Int(c, f.Addr)
		return v, c.Err() == nil
	}
	return 0, false
}
