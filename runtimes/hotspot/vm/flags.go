package vm

import (
	"fmt"
	"math"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/vmstructs"
)

// origins are words for JVMFlagOrigin (Flag::Flags before JDK 9), in order.
var origins = []string{"default", "command line", "environment", "configuration file", "management", "ergonomic",
	"attach", "internal", "runtime image"}

// maxText bounds texts of the virtual machine, maxArgs its arguments.
const (
	maxText = 1 << 12
	maxArgs = 1 << 12
)

// flags returns the flags that were changed, in the order of their table.
func (d *describer) flags() (out []runtimes.JavaFlag) {
	for _, f := range d.Flags() {
		if f.Origin <= 0 || f.Origin >= len(origins) {
			continue
		}
		x := runtimes.JavaFlag{Name: f.Name, Type: f.Type, Origin: origins[f.Origin]}
		var err error
		if x.Value, err = flagValue(d.Process, f); err != nil {
			d.problem("the value of the flag %s: %v", f.Name, err)
		}
		out = append(out, x)
	}
	return out
}

// flagValue returns the value of a flag as the virtual machine prints it (-XX:+PrintFlagsFinal).
func flagValue(p *core.Process, f vmstructs.VMFlag) (string, error) {
	c := p.Cursor()
	value := ""
	switch f.Type {
	case "bool":
		value = strconv.FormatBool(c.U8(f.Value) != 0)
	case "int":
		value = strconv.Itoa(int(int32(c.U32(f.Value))))
	case "uint":
		value = strconv.FormatUint(uint64(c.U32(f.Value)), 10)
	case "intx":
		value = strconv.FormatInt(int64(c.U64(f.Value)), 10)
	case "uintx", "uint64_t", "size_t":
		value = strconv.FormatUint(c.U64(f.Value), 10)
	case "double":
		value = strconv.FormatFloat(math.Float64frombits(c.U64(f.Value)), 'g', -1, 64)
	case "ccstr", "ccstrlist":
		if s := c.Pointer(f.Value); s != 0 {
			value = c.CString(s, maxText)
		}
	default:
		return "", fmt.Errorf("its type %q is not known", f.Type)
	}
	return value, c.Err()
}

// strings returns an array of C strings that two static fields of Arguments have.
func (d *describer) strings(array, number string) (out []string) {
	n, ok := d.Value(number)
	if !ok || n < 0 || n > maxArgs {
		return nil
	}
	c, list := d.Process.Cursor(), d.PointerAt(0, array)
	for i := range n {
		s := c.CString(c.Pointer(list.Add(8*i)), maxText)
		if err := c.Err(); err != nil {
			d.problem("the arguments: %v", err)
			return out
		}
		out = append(out, s)
	}
	return out
}

// text returns the C string that a static field points to; "" if there is none.
func (d *describer) text(field string) string {
	at := d.PointerAt(0, field)
	if at == 0 {
		return ""
	}
	c := d.Process.Cursor()
	s := c.CString(at, maxText)
	if c.Err() != nil {
		return ""
	}
	return s
}
