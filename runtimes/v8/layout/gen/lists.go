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
	for n, r := range s.macros.Rows("TRANSLATION_OPCODE_LIST", 1) {
		if v, err := s.env.EvalTokens(r.Args[len(r.Args)-1]); err == nil {
			t.add(fmt.Sprintf("translation_%d_%s", n, cxx.Join(r.Args[0])), v, r.Pos)
		}
	}
	for n, r := range s.macros.Rows("ROOT_LIST", 1) {
		// Strings that programs are made of are many, and no root is looked for by them.
		if len(r.Args) > 1 && !strings.HasSuffix(cxx.Join(r.Args[1]), "_string") {
			t.add(fmt.Sprintf("root_%d_%s", n, cxx.Join(r.Args[1])), int64(n), r.Pos)
		}
	}
	s.enumRows(t)
}

// enums are the enumerations that decoding uses, with how their rows begin.
var enums = []struct{ prefix, name string }{
	{"elementskind_", "ElementsKind"}, {"codekind_", "CodeKind"}, {"scopetype_", "ScopeType"},
	{"functionkind_", "FunctionKind"},
	{"functionsyntaxkind_", "FunctionSyntaxKind"}, {"variablemode_", "VariableMode"},
	{"allocationspace_", "AllocationSpace"},
	{"promisestate_", "v8::Promise::PromiseState"}, {"representation_", "Representation::Kind"},
	{"propertylocation_", "PropertyLocation"},
	{"scripttype_", "Script::Type"}, {"contextfield_", "Context::Field"},
	{"variableallocation_", "VariableAllocationInfo"},
	{"safepointentry_", "SafepointEntryKind"}, {"handlerprediction_", "HandlerTable::CatchPrediction"},
	{"generatormode_", "JSGeneratorObject::ResumeMode"},
	{"typedarraykind_", "ExternalArrayType"}, {"memorychunkflag_", "MemoryChunk::Flag"},
	{"modulestatus_", "Module::Status"},
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
	d, err := s.env.Find("Oddball")
	if err != nil {
		return
	}
	for _, c := range d.Scope.Names {
		if v, err := s.env.Value(c); err == nil && c.Kind == cxx.Const &&
			strings.Contains(cxx.Join(c.Type), "uint8_t") {
			t.add("oddball_"+c.Name, v, c.Pos)
		}
	}
}
