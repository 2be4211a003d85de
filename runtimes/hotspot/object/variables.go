package object

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Variable is a local variable of a method, or an argument.
type Variable struct {
	Name     string // "" if the class file does not say it
	Type     string // a descriptor
	Slot     int    // a long and a double have the next one, too
	Argument bool
}

// Wide reports whether the variable has two slots.
func (v *Variable) Wide() bool { return v.Type == "J" || v.Type == "D" }

// Static reports whether the method is static.
func (m *Method) Static() bool { return m.Access&accStatic != 0 }

// maxSlots bounds the slots of a method's arguments.
const maxSlots = 256

// Arguments returns "this", unless the method is static, and the arguments by the method's signature, without names.
func (m *Method) Arguments() (list []Variable) {
	slot := 0
	if !m.Static() {
		list = append(list, Variable{Name: "this", Type: "L" + strings.ReplaceAll(m.Class, ".", "/") + ";",
			Argument: true})
		slot = 1
	}
	rest := strings.TrimPrefix(m.Signature, "(")
	for rest != "" && rest[0] != ')' && slot < maxSlots {
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '[' }) + 1
		if n == 0 {
			return list
		}
		if rest[n-1] == 'L' {
			end := strings.IndexByte(rest, ';')
			if end < 0 {
				return list
			}
			n = end + 1
		} else if java.PrimitiveOf(rest[n-1:n]) == java.NotPrimitive {
			return list
		}
		v := Variable{Type: rest[:n], Slot: slot, Argument: true}
		if list = append(list, v); v.Wide() {
			slot++
		}
		slot, rest = slot+1, rest[n:]
	}
	return list
}

// Variables returns the variables that have values at a bytecode, by slot: the variables of the class file's
// LocalVariableTable or, without a table, the arguments.
func (m *Method) Variables(bci int) []Variable {
	args := m.Arguments()
	table, ok := m.variableTable()
	if !ok {
		return args
	}
	var list []Variable
	c := m.r.Process.Cursor()
	for i := range int64(table.count) {
		at := table.at.Add(12 * i)
		start, length := int(c.U16(at)), int(c.U16(at+2))
		v := Variable{Slot: int(c.U16(at + 10))}
		var ok1, ok2 bool
		v.Name, ok1 = m.r.poolSymbol(table.pool, c.U16(at+4))
		v.Type, ok2 = m.r.poolSymbol(table.pool, c.U16(at+6))
		if c.Err() != nil || !ok1 || !ok2 || v.Type[0] != 'L' && v.Type[0] != '[' &&
			java.PrimitiveOf(v.Type) == java.NotPrimitive {
			return args
		}
		if bci < start || bci >= start+length {
			continue
		}
		for _, a := range args {
			v.Argument = v.Argument || a.Slot == v.Slot && start == 0
		}
		list = append(list, v)
	}
	return list
}

// A variableTable is where a ConstMethod has its LocalVariableTableElements: start_bci, length,
// name_cp_index, descriptor_cp_index, signature_cp_index, slot, 16 bits each (share/oops/constMethod.hpp).
type variableTable struct {
	pool, at core.Addr
	count    int
}

// variableTable finds the table by the tables behind it: a ConstMethod's optional parts end where the
// ConstMethod does, each with its count behind its elements.
func (m *Method) variableTable() (table variableTable, ok bool) {
	r := m.r
	bit := func(name string) int64 {
		n, _ := r.Constant("ConstMethodFlags::_misc_"+name, "ConstMethod::_"+name)
		return n
	}
	size, ok := r.Lookup("ConstMethod._constMethod_size")
	if !ok || bit("has_localvariable_table") == 0 {
		return table, false
	}
	c := r.Process.Cursor()
	begin := c.Pointer(m.Addr.Add(r.o.constMethod))
	flags := int64(c.U16(begin.Add(r.o.flags)))
	has := func(name string) bool { return flags&bit(name) != 0 }
	if c.Err() != nil || !has("has_localvariable_table") {
		return table, false
	}
	end := begin.Add(8 * size.Int(c, begin))
	for _, name := range []string{"has_method_annotations", "has_parameter_annotations", "has_type_annotations",
		"has_default_annotations"} {
		if has(name) {
			end -= 8
		}
	}
	if has("has_generic_signature") {
		end -= 2
	}
	for _, x := range []struct {
		name  string
		bytes int64
	}{{"has_method_parameters", 4}, {"has_checked_exceptions", 2}, {"has_exception_table", 8},
		{"has_localvariable_table", 12}} {
		if !has(x.name) {
			continue
		}
		end -= 2
		n := c.U16(end)
		end = end.Add(-x.bytes * int64(n))
		table.at, table.count = end, int(n)
	}
	table.pool = c.Pointer(begin.Add(r.o.constants))
	return table, c.Err() == nil && end >= m.Code+core.Addr(m.CodeSize)
}
