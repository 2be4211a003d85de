package torque

import (
	"strings"
	"testing"
)

const program = `
#include 'src/a.h'
@abstract extern class HeapObject extends StrongTagged { const map: Map; }
@abstract @reserveBitsInInstanceType(2) extern class Name extends HeapObject { hash: uint32; }
extern class Cell extends HeapObject { value: Object; @if(WIDE) padding: uint32; macro Get(): Object { return this.value; } }
extern class BigCell extends HeapObject;
@abstract @highestInstanceTypeWithinParentClassRange extern class JSReceiver extends HeapObject { properties: Object; }
@apiExposedInstanceTypeValue(0x20) extern class JSObject extends JSReceiver { elements: FixedArrayBase; length: Smi; data[length]: Flags; }
@lowestInstanceTypeWithinParentClassRange extern class JSSpecial extends JSObject { p: ExternalPointer; q: Flags; r: Pair; }
extern shape JSShape extends JSObject { a: Smi; }
extern class JSZ extends JSObject;
@ifnot(WIDE) extern class Narrow extends HeapObject;
bitfield struct Flags extends uint16 { is_callable: bool: 1 bit; kind: Kind: 3 bit; }
type Kind extends uint8 constexpr 'Kind';
struct Pair { a: Smi; b: int32; }
transitioning javascript builtin ArrayIsArray(js-implicit context: NativeContext)(arg: JSAny): JSAny { return X; }
`

func TestInstanceTypes(t *testing.T) {
	p := NewProgram(map[string]bool{"WIDE": true})
	p.Add("src/a.tq", program)
	got := map[string]int{}
	for _, i := range p.InstanceTypes() {
		got[i.Name] = i.Value
	}
	for name, want := range map[string]int{
		"BIG_CELL_TYPE": 4, "CELL_TYPE": 5, "JS_SPECIAL_TYPE": 6, "JS_OBJECT_TYPE": 0x20, "JS_Z_TYPE": 0x21,
		"FIRST_JS_RECEIVER_TYPE": 6, "LAST_JS_RECEIVER_TYPE": 0x21, "FIRST_NAME_TYPE": 0, "LAST_HEAP_OBJECT_TYPE": 0x21,
	} {
		if n, ok := got[name]; !ok || n != want {
			t.Errorf("%s is %d, %v; want %d", name, n, ok, want)
		}
	}
	for _, name := range []string{"JS_SHAPE_TYPE", "NARROW_TYPE", "NAME_TYPE", "LAST_NAME_TYPE"} {
		if n, ok := got[name]; ok {
			t.Errorf("%s is %d; it has no number of its own", name, n)
		}
	}
	if len(p.Builtins) != 1 || p.Builtins[0].Name != "ArrayIsArray" || !p.Builtins[0].JavaScript {
		t.Errorf("builtins: %v", p.Builtins)
	}
}

func TestFiles(t *testing.T) {
	p := NewProgram(map[string]bool{"WIDE": true})
	p.Add("src/a.tq", program)
	files := p.Files(Sizes{Tagged: 8, External: 4, CppHeap: 4, Trusted: 4})
	for file, wants := range map[string][]string{
		"torque-generated/bit-fields.h": {
			"#define DEFINE_TORQUE_GENERATED_FLAGS() using IsCallableBit = base::BitField<uint32_t, 0, 1, uint16_t>; using KindBits = base::BitField<uint32_t, 1, 3, uint16_t>;"},
		"torque-generated/instance-types.h": {"V(CELL_TYPE, 5)",
			"TORQUE_INSTANCE_CHECKERS_SINGLE_FULLY_DEFINED(V) V(Cell, CELL_TYPE)"},
		"torque-generated/src/a-tq.inc": {
			"class TorqueGeneratedCell : public P", "kValueOffsetEnd = kValueOffset + 7;",
			"kPaddingOffset = kValueOffsetEnd + 1;",
			"kPOffsetEnd = kPOffset + 3;", "kQOffsetEnd = kQOffset + 1;", "kROffsetEnd = kROffset + 11;",
			"kHeaderSize = kDataOffset;"},
		"torque-generated/class-definitions.h": {"class TorqueGeneratedCell : public P",
			"class TorqueGeneratedJSSpecial : public P"},
		"torque-generated/field-offsets.h": {
			"#define TORQUE_GENERATED_CELL_FIELDS(V) V(kStartOfStrongFieldsOffset, 0) V(kValueOffset, 8) V(kPaddingOffset, 4) V(kHeaderSize, 0) V(kSize, 0)\n",
			"V(kLengthOffset, 8) V(kHeaderSize, 0) V(kDataOffset, 0)\n"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[file], want) {
				t.Errorf("%s has no %q:\n%s", file, want, files[file])
			}
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"JSFunction": "JS_FUNCTION", "BigIntBase": "BIG_INT_BASE",
		"MapBitFields1": "MAP_BIT_FIELDS1", "Float64x2": "FLOAT64X2"} {
		if got := Capify(in); got != want {
			t.Errorf("Capify(%s) = %s; want %s", in, got, want)
		}
	}
	if got := Camelify("is_callable"); got != "IsCallable" {
		t.Errorf("Camelify: %s", got)
	}
}
