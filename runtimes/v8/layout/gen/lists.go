package main

import (
	"fmt"
	"strings"

	"coredbg/runtimes/v8/layout/gen/cxx"
)

// kinds are the letters of the operands of bytecodes that runtimes/v8/bytecode uses, by
// the names of OperandType.
var kinds = map[string]string{
	"kFlag8": "F", "kFlag16": "H", "kIntrinsicId": "N", "kRuntimeId": "T", "kNativeContextIndex": "X",
	"kAbortReason": "A", "kEmbeddedFeedback": "E",
	"kConstantPoolIndex": "K", "kFeedbackSlot": "V", "kContextSlot": "C", "kCoverageSlot": "B", "kUImm": "U",
	"kRegCount": "#", "kImm": "S",
	"kReg": "R", "kRegOut": "R", "kRegInOut": "R", "kRegList": "L", "kRegOutList": "L", "kRegPair": "P",
	"kRegOutPair": "P", "kRegOutTriple": "t",
	"kIdx": "I",
}

// listRows adds what V8 numbers by its place in a list.
func (s *source) listRows(t table) {
	bytecodes := s.macros.Rows("BYTECODE_LIST", 2)
	if len(bytecodes) == 0 || strings.Contains(cxx.Join(bytecodes[0].Args[0]), "BYTECODE_LIST") {
		bytecodes = s.macros.Rows("BYTECODE_LIST", 1)
	}
	for n, r := range bytecodes {
		letters := ""
		for _, a := range r.Args[1:] {
			if name, ok := strings.CutPrefix(cxx.Join(a), "OperandType::"); ok {
				if kinds[name] == "" {
					name, letters = "", letters+"?"
				}
				letters += kinds[name]
			}
		}
		if letters == "" {
			letters = "-"
		}
		t.add(fmt.Sprintf("bytecode_%d_%s__%s", n, cxx.Join(r.Args[0]), letters), int64(n), r.Pos)
	}
	s.enumRows(t)
}

// enums are the enumerations that decoding uses, with how their rows begin.
var enums = []struct{ prefix, name string }{
	{"scopetype_", "ScopeType"}, {"contextfield_", "Context::Field"},
}

func (s *source) enumRows(t table) {
	for _, e := range enums {
		d, err := s.env.Find(e.name)
		if err != nil || d.Scope == nil {
			continue
		}
		for _, c := range d.Scope.Names {
			if v, err := s.env.Value(c); err == nil && c.Kind == cxx.Const {
				t.add(e.prefix+c.Name, v, c.Pos)
			}
		}
	}
}
