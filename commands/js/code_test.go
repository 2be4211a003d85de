package js

import (
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// TestBytecodeText: the layout of a listing; the bytecodes come from node 24.21.0 --print-bytecode for
// "function f(a) { return a + 'x'; }".
func TestBytecodeText(t *testing.T) {
	rec := &bytecodeRecord{mark: 2, file: "/a.js", texts: []string{"InternalizedString: 'x'"},
		array: &object.BytecodeArray{
			Word: 0x101, Function: 0x201, Name: "f", Start: 0x140, Length: 6, Params: 2, Registers: 1,
			Bytecodes: []bytecode.Bytecode{
				{Offset: 0, Bytes: []byte{0x13, 0}, Name: "LdaConstant",
					Operands: []bytecode.Operand{{Kind: "constant", Text: "[0]", Constant: 0x301}}},
				{Offset: 2, Bytes: []byte{0xce}, Name: "Star0"},
				{Offset: 3, Bytes: []byte{0xa3, 2}, Name: "JumpIfFalse",
					Operands: []bytecode.Operand{{Kind: "immediate", Value: 2, Text: "[2]"}}, Targets: []int{5}},
				{Offset: 5, Bytes: []byte{0xb3}, Name: "Return"},
			},
			Constants: []layout.Tagged{0x301},
			Handlers:  []object.Handler{{Start: 0, End: 3, Handler: 5, Prediction: 1, Register: 0}},
			Positions: []object.BytecodePosition{{Offset: 0, Position: 24, Line: 1, Column: 25, Statement: true},
				{Offset: 3, Position: 30}},
		}}
	want := `101: f, /a.js, 6 bytes, 2 parameters, 1 registers
   1:25 S           0: 1300               LdaConstant              [0: 'x']
=>                  2: ce                 Star0
   @30 E            3: a302               JumpIfFalse              [2] -> 5
                    5: b3                 Return
constant pool:
      0: 301 (InternalizedString: 'x')
handler table:
      0 to 3 -> 5 (prediction 1, context in r0)
`
	if got := text(rec); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b, err := out.Marshal(rec)
	for _, part := range []string{`"type":"v8bytecode","addr":"0x101","function":"0x201"`, `"targets":[5]`,
		`"constant":"0x301"`,
		`"constants":[{"index":0,"value":"0x301","is":"InternalizedString: 'x'"}]`} {
		if err != nil || !strings.Contains(string(b), part) {
			t.Errorf("no %s in %s, %v", part, b, err)
		}
	}
}

func TestCodeText(t *testing.T) {
	deopt, kind := 4, 12
	rec := &codeRecord{Object: 0x101, Tier: "turbofan", Kind: &kind, Name: "f", File: "/a.js", Line: 3, Function: 0x201,
		Start: 0x1000, Size: 8, Inlined: []inlinedFunction{{0x301, "g"}}, Safepoints: 1, DeoptExits: 2,
		Points: []safepoint{{PC: 0x1004, Deopt: &deopt}}, Lines: []instruction{{0x1000, "push %rbp"}, {0x1001, "ret"}},
		at: 0x1001}
	want := `101: turbofan code of f (/a.js:3)
    instructions  1000 to 1008, 8 bytes
    kind          12
    function      201
    inlined       301 g
    safepoints    1
    deopt exits   2
    1004 deopt 4
   +0      1000: push %rbp
=> +1      1001: ret
`
	if got := text(rec); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	row := &functionRow{Object: 0x11, Shared: 0x21, Closures: 2, File: "/a.js", Line: 1, Column: 2}
	if got, want := text(row), "              11        2 -           (anonymous) (/a.js:1:2)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	script := newScript(&object.ScriptInfo{Word: 0x31, ID: 7, Name: "/a.js", Type: "normal", Length: -1})
	if got, want := text(script), "              31     7 normal           -      -     0 /a.js\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
