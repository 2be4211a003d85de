package vmstructs

import "coredbg/core"

// A flag is where a flag of the command line (-XX) has its value.
type flag struct{ value core.Addr }

// maxFlags bounds the flags: JDK 25 has some 900.
const maxFlags = 1 << 13

// readFlags reads JVMFlag::flags (share/runtime/flags/jvmFlag.hpp), an array; before JDK 9 the type is Flag.
func (t *Tables) readFlags() map[string]flag {
	all := map[string]flag{}
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
				all[text] = flag{v}
			}
		}
	}
	return all
}

// Flag returns the byte of a flag that is true or false; ok is false if the virtual machine has no such flag, or the core not
// its value.
func (t *Tables) Flag(name string) (on, ok bool) {
	t.once.Do(func() { t.flags = t.readFlags() })
	f, ok := t.flags[name]
	if !ok {
		return false, false
	}
	c := t.Process.Cursor()
	v := c.U8(f.value)
	return v != 0, c.Err() == nil
}

// FlagValue returns the eight bytes at a flag's value, which is a number if its type has 64 bits.
func (t *Tables) FlagValue(name string) (v uint64, ok bool) {
	t.once.Do(func() { t.flags = t.readFlags() })
	f, ok := t.flags[name]
	if !ok {
		return 0, false
	}
	c := t.Process.Cursor()
	v = c.U64(f.value)
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
