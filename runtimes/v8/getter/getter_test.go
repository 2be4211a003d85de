package getter

import (
	"testing"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// bytecodes lays out bytecodes at offsets 0, 10, 20 and so on.
func bytecodes(list ...bytecode.Bytecode) []bytecode.Bytecode {
	for i := range list {
		list[i].Offset = 10 * i
	}
	return list
}

func op(name string, operands ...int64) bytecode.Bytecode {
	b := bytecode.Bytecode{Name: name}
	for _, v := range operands {
		b.Operands = append(b.Operands, bytecode.Operand{Value: v})
	}
	return b
}

// through is an operation on a slot of the context that a register leads to.
func through(name, register string, slot, depth int64) bytecode.Bytecode {
	b := op(name, 0, slot, depth)
	b.Operands[0].Text = register
	return b
}

func jump(name string, to int) bytecode.Bytecode {
	return bytecode.Bytecode{Name: name, Targets: []int{10 * to}}
}

// TestKept: getters in the form of Node's getStdout, get navigator and getStdin, as V8's interpreter has them
// (node --print-bytecode).
func TestKept(t *testing.T) {
	stdout := bytecodes(op("LdaCurrentContextSlot", 11), op("ThrowReferenceErrorIfHole", 0),
		jump("JumpIfToBooleanFalse", 5), op("LdaCurrentContextSlot", 11), op("Return"),
		op("CallUndefinedReceiver1", 0, 1), op("StaCurrentContextSlot", 11),
		op("LdaCurrentContextSlot", 11), op("Return"))
	navigator := bytecodes(through("LdaImmutableContextSlot.Wide", "<context>", 2, 1), jump("JumpIfUndefined", 3),
		op("CallUndefinedReceiver1", 0, 1), op("LdaCurrentContextSlot", 11), op("ThrowReferenceErrorIfHole", 0),
		jump("JumpIfUndefinedOrNullConstant", 7), jump("Jump", 9), op("GetKeyedProperty", 0),
		op("StaCurrentContextSlot", 11), op("LdaCurrentContextSlot", 11), op("ThrowReferenceErrorIfHole", 0),
		op("Return"))
	push := op("PushContext", 5)
	push.Operands[0].Text = "r5"
	stdin := bytecodes(op("CreateFunctionContext", 0, 1), push, op("CreateClosure", 1),
		op("StaCurrentContextSlot", 2), through("LdaContextSlot", "r5", 11, 0), jump("JumpIfToBooleanFalse", 7),
		op("Return"), op("Construct", 1), through("StaContextSlot", "<context>", 11, 1),
		through("LdaContextSlot", "r5", 11, 0), op("Return"))
	counter := bytecodes(op("LdaCurrentContextSlot", 11), op("Inc"), op("StaCurrentContextSlot", 11), op("Return"))
	for _, c := range []struct {
		name     string
		code     []bytecode.Bytecode
		outer    string
		made     float64 // what it returns if the variable is 7
		variable string
	}{
		{"getStdout", stdout, "", 7.0, "stdout"},
		{"get navigator", navigator, "", 7.0, "stdout"},
		{"getStdin", stdin, "r5", 7.0, "stdout"},
		{"a counter", counter, "", 0, ""}, // its value is another one each time
	} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		undefined := object.Slot{Word: h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)}
		r := object.New(h.Memory(), nil)
		read := func(kept object.Slot) *Getter {
			return &Getter{r: r, code: c.code, outer: c.outer, contexts: []*object.Context{
				{Locals: []object.Variable{{Name: "other", Index: 2, Slot: object.RawSlot(1)},
					{Name: "stdout", Index: 11, Slot: kept}}},
				{Locals: []object.Variable{{Name: "check", Index: 2, Slot: undefined}}}}}
		}
		if v, ok := read(object.RawSlot(7)).Kept(); v.Double != c.made || ok != (c.made != 0) {
			t.Errorf("%s, made: %v, %v", c.name, v, ok)
		}
		if name, ok := read(object.RawSlot(7)).Unmade(); ok {
			t.Errorf("%s, made: %s is said to be empty", c.name, name)
		}
		if v, ok := read(undefined).Kept(); ok {
			t.Errorf("%s, not made: %v", c.name, v)
		}
		if name, ok := read(undefined).Unmade(); name != c.variable || ok != (c.variable != "") {
			t.Errorf("%s, not made: the variable %q, %v", c.name, name, ok)
		}
	}
}
