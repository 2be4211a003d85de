package eval

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
		made     Value // what it returns if the variable is 7
		variable string
	}{
		{"getStdout", stdout, "", 7.0, "stdout"},
		{"get navigator", navigator, "", 7.0, "stdout"},
		{"getStdin", stdin, "r5", 7.0, "stdout"},
		{"a counter", counter, "", nil, ""}, // its value is another one each time
	} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		undefined := object.Slot{Word: h.Object("ODDBALL", 0, uint64(h.Str("undefined")), 0, 0, 0)}
		steps := maxSteps
		_, err := New(object.New(h.Memory(), nil)).Call(noHost{}, &steps, func(m *Machine) Value {
			keeper := func(kept object.Slot) *keeper {
				return &keeper{m: m, code: c.code, outer: c.outer, contexts: []*object.Context{
					{Locals: []object.Variable{{Name: "other", Index: 2, Slot: object.RawSlot(1)},
						{Name: "stdout", Index: 11, Slot: kept}}},
					{Locals: []object.Variable{{Name: "check", Index: 2, Slot: undefined}}}}}
			}
			if v, ok := keeper(object.RawSlot(7)).run(); v != c.made || ok != (c.made != nil) {
				t.Errorf("%s, made: %v, %v", c.name, v, ok)
			}
			if name, ok := keeper(object.RawSlot(7)).unmade(); ok {
				t.Errorf("%s, made: %s is said to be empty", c.name, name)
			}
			if v, ok := keeper(undefined).run(); ok {
				t.Errorf("%s, not made: %v", c.name, v)
			}
			if name, ok := keeper(undefined).unmade(); name != c.variable || ok != (c.variable != "") {
				t.Errorf("%s, not made: the variable %q, %v", c.name, name, ok)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestPromises: what util.inspect of Node 24 shows for these: a state and a value.
func TestPromises(t *testing.T) {
	for body, want := range map[string]Promise{
		"builtin('Promise.resolve', null, 1)":                                      {"fulfilled", 1.0},
		"builtin('Promise.resolve', null)":                                         {"fulfilled", nil},
		"builtin('Promise.reject', null, 'x')":                                     {"rejected", "x"},
		"builtin('Promise.all', null, [1])":                                        {"pending", nil},
		"builtin('Promise.prototype.then', builtin('Promise.resolve'), x => x)":    {"pending", nil},
		"builtin('Promise.resolve', null, builtin('Promise.resolve', null, 2))":    {"fulfilled", 2.0},
		"builtin('Promise.resolve', null, { then() {} })":                          {"pending", nil},
		"made((a, b) => { b(3); a(2) })":                                           {"rejected", 3.0},
		"made(a => a(4))":                                                          {"fulfilled", 4.0},
		"made(() => {})":                                                           {"pending", nil},
		"made(() => { throw 5 })":                                                  {"rejected", 5.0},
		"made(a => a(builtin('Promise.resolve', null, 7)))":                        {"pending", nil},
		"made(a => { a(builtin('Promise.resolve', null, 7)); a(1) })":              {"pending", nil},
		"made((a, b) => { a({ then() {} }); b(1) })":                               {"pending", nil},
		"await 1, builtin('Promise.resolve', null, await made(a => a('awaited')))": {"fulfilled", "awaited"},
		"await made((a, b) => b('why'))":                                           {"rejected", "why"},
	} {
		v, err := evaluate(t, "return "+body, maxSteps)
		if o, ok := v.(*Object); err != nil || !ok || o.Promise == nil || *o.Promise != want {
			t.Errorf("%s = %v, %v, want %v", body, v, err, want)
		}
	}
	if _, err := evaluate(t, "made(1)", maxSteps); err == nil {
		t.Error("new Promise(1) is a promise")
	}
}
