package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/runtimes/v8/layout"
)

// sources is a V8 in the small.
var sources = map[string]string{
	"include/v8-version.h": "#define V8_MAJOR_VERSION 15\n#define V8_MINOR_VERSION 0\n#define V8_BUILD_NUMBER 245\n#define V8_PATCH_LEVEL 2\n",
	"tools/gen-postmortem-metadata.py": `
consts_misc = [
    { 'name': 'FirstNonstringType', 'value': 'FIRST_NONSTRING_TYPE' },
    {
        'name': 'TaggedSize',
        'value': 'kTaggedSize'
    },
    { 'name': 'Gone', 'value': 'kGone' },
]
extras_accessors = [
    'JSFunction, shared, SharedFunctionInfo, kSharedFunctionInfoOffset',
    'FixedArray, data, uintptr_t, kHeaderSize',
]
`,
	"src/objects/a.tq": `
@abstract extern class HeapObject extends StrongTagged { map: Map; }
@reserveBitsInInstanceType(3) @abstract extern class String extends HeapObject { length: int32; }
extern class Symbol extends HeapObject;
@cppObjectLayoutDefinition extern class JSFunction extends HeapObject { shared_function_info: SharedFunctionInfo; }
extern class FixedArray extends HeapObject { length: Smi; objects[length]: Object; }
`,
	"src/common/globals.h": `
#ifndef G_H
#define G_H
namespace v8 { namespace internal {
#ifdef V8_COMPRESS_POINTERS
using Tagged_t = uint32_t;
#else
using Tagged_t = uint64_t;
#endif
constexpr int kTaggedSize = sizeof(Tagged_t);
enum class CodeKind : uint8_t { BUILTIN, BASELINE = 7 };
} }
#endif
`,
	"src/objects/objects.h": `
#ifndef O_H
#define O_H
#include "src/common/globals.h"
#include "torque-generated/instance-types.h"
namespace v8 { namespace internal {
#define MAKE(TYPE, value) TYPE = value,
enum InstanceType : uint16_t { TORQUE_ASSIGNED_INSTANCE_TYPES(MAKE) FIRST_NONSTRING_TYPE = SYMBOL_TYPE };
#undef MAKE
template <typename T> class TaggedMember { Tagged_t ptr_; };
class HeapObject { TaggedMember<HeapObject> map_; };
constexpr int kHeapObjectHeader = sizeof(HeapObject);
#include "torque-generated/src/objects/a-tq.inc"
class JSFunction : public HeapObject { private:
#ifdef V8_ENABLE_SANDBOX
  uint32_t handle_;
#endif
  TaggedMember<HeapObject> shared_function_info_; };
class Base : public HeapObject { public: static constexpr int kHeaderSize = kHeapObjectHeader; };
class FixedArray : public TorqueGeneratedFixedArray<FixedArray, Base> {};
} }
#endif
`,
	"src/interpreter/bytecodes.h": `
#define BYTECODE_LIST(V, V_TSA) V(Wide, ImplicitRegisterUse::kNone) \
  V_TSA(Ldar, ImplicitRegisterUse::kWrite, OperandType::kReg, OperandType::kUImm)
#define ROOT_LIST(V) V(Map, free_space_map, FreeSpaceMap) V(String, a_string, A) V(Oddball, undefined_value, UndefinedValue)
#define TRANSLATION_OPCODE_LIST(V) V(BEGIN, 3) V(LITERAL, 1)
#undef TRANSLATION_OPCODE_LIST
`,
}

func makeTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sources {
		path := filepath.Join(dir, "deps/v8", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTable(t *testing.T) {
	tr, err := openTree(makeTree(t))
	if err != nil || tr.version != (layout.Version{Major: 15, Build: 245, Patch: 2}) {
		t.Fatalf("openTree: %v, %v", tr, err)
	}
	for name, want := range map[string]map[string]int{
		"ptr8": {
			"TaggedSize": 8, "FirstNonstringType": 10, "type_Symbol__SYMBOL_TYPE": 10,
			"type_FixedArray__FIXED_ARRAY_TYPE":            8,
			"class_JSFunction__shared__SharedFunctionInfo": 8, "class_FixedArray__data__uintptr_t": 16,
			"class_FixedArray__length__Smi": 8,
			"layout_JSFunction_Shared":      8, "layout_Code_KindBaseline": 7,
			"bytecode_0_Wide__-": 0, "bytecode_1_Ldar__RU": 1,
		},
		"ptr4": {"TaggedSize": 4, "class_JSFunction__shared__SharedFunctionInfo": 4,
			"class_FixedArray__data__uintptr_t": 8},
		"ptr4-sandbox": {"layout_JSFunction_Shared": 8, "class_JSFunction__handle__uint32_t": 4},
	} {
		s, err := read(tr, variants[name])
		if err != nil {
			t.Fatal(err)
		}
		rows, missing := s.table()
		for row, v := range want {
			if r, ok := rows[row]; !ok || r.value != v {
				t.Errorf("%s: %s is %d, %v; want %d", name, row, r.value, ok, v)
			}
		}
		if !strings.Contains(strings.Join(missing, "\n"), "Gone: kGone is not declared") {
			t.Errorf("%s: missing %q", name, missing)
		}
		for row := range rows {
			if !layout.Reads(row) {
				t.Errorf("%s: nothing reads %s", name, row)
			}
		}
		if p := rows["layout_JSFunction_Shared"].pos; p.File != "src/objects/objects.h" || p.Line == 0 {
			t.Errorf("%s: JSFunction's shared is from %v", name, p)
		}
	}
}

// TestWrite checks that what is written is a table.
func TestWrite(t *testing.T) {
	o := options{dir: t.TempDir(), variants: "ptr8,ptr4"}
	if err := o.run([]string{makeTree(t)}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"15.0.tsv", "15.0-ptr4.tsv"} {
		f, err := os.Open(filepath.Join(o.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if c, err := layout.ReadTable(f); err != nil || c["layout_Code_KindBaseline"] != 7 {
			t.Errorf("%s: %v, %v", name, c["layout_Code_KindBaseline"], err)
		}
	}
}

func TestErrors(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		o     options
		trees []string
		want  string
	}{
		{options{variants: "ptr8"}, nil, "no sources given"},
		{options{variants: "ptr8"}, []string{empty}, "no include/v8-version.h"},
		{options{variants: "ptr16", dir: empty}, []string{makeTree(t)}, `no variant "ptr16"`},
		{options{image: filepath.Join(empty, "none"), version: "15.0"}, nil, "no such file"},
		{options{image: "x", version: "new"}, nil, `-version "new"`},
	} {
		if err := test.o.run(test.trees); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v; want %s", test.o, err, test.want)
		}
	}
}
