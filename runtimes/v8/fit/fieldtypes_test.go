package fit

import (
	"maps"
	"slices"
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestTypesTradePlaces checks that types which change places have their new ones in whatever order they are looked at.
func TestTypesTradePlaces(t *testing.T) {
	table := &layout.Table{Constants: map[string]int{
		"type_A__A_TYPE": 1, "type_B__B_TYPE": 2, "type_C__C_TYPE": 3, "type_D__D_TYPE": 4,
		"type_E__E_TYPE": 5, "other": 3,
	}}
	want := map[string]int{"type_A__A_TYPE": 2, "type_B__B_TYPE": 3, "type_C__C_TYPE": 4,
		"type_E__E_TYPE": 5, "other": 3}
	for range 64 { // an order of a map's keys that is wrong may be rare
		got := withTypes(table, map[string]int{"type_A__A_TYPE": 2, "type_B__B_TYPE": 3, "type_C__C_TYPE": 4})
		if !maps.Equal(got.Constants, want) {
			t.Fatalf("got %v, want %v", got.Constants, want)
		}
	}
}

// TestBytecodeTypes: bytecode arrays are recognized by their places in functions and by their contents,
// whatever the table says. They are not recognized if too few functions agree or the arrays have no constants.
func TestBytecodeTypes(t *testing.T) {
	for _, c := range []struct {
		name      string
		functions int
		constants bool
		script    bool // whether the table knows their type
		want      map[string]int
	}{
		{"enough", leastFieldVotes, true, true, map[string]int{bytecodeType: 186}},
		{"scripts have another type", leastFieldVotes, true, false, map[string]int{bytecodeType: 186}},
		{"too few", leastFieldVotes - 1, true, true, map[string]int{}},
		{"no constants", leastFieldVotes, false, true, map[string]int{}},
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		words := map[int]uint64{}
		for i := range c.functions {
			f := h.Function("f")
			words[-16-8*i] = uint64(f.Closure)
			if c.constants {
				h.Put(f.Bytecode.Addr()+40, uint64(h.Object("FIXED_ARRAY", 0)))
			}
		}
		h.Frame(words)
		h.Build.Thread(1, map[string]uint64{"rsp": v8test.StackBase})
		v := New(h.Memory())
		v.Layout.BytecodeArray.ConstantPool, v.Layout.BytecodeArray.FrameSize = 40, 48
		v.Types.BytecodeArray = -1
		if !c.script {
			v.Types.Script = -1
		}
		if got := bytecodeTypes(v); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPromiseReactions: what pending promises lead to is a list of reactions; results are not, whatever they are.
func TestPromiseReactions(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	last := h.Reaction(0, 0)
	first := h.Reaction(last, 0)
	none := uint64(h.Object("FIXED_ARRAY", 0))
	for _, o := range []layout.Tagged{first, last, h.Object("ACCESSOR_PAIR", 1, uint64(h.Str("no list")))} {
		h.Object("JS_PROMISE", none, none, uint64(o), 0)
	}
	v := New(h.Memory())
	if got := promiseReactions(v); !slices.Equal(got, []layout.Tagged{first, last}) {
		t.Errorf("got %v, want %v and %v", got, first, last)
	}
}

// TestAccessorPairs: the value of a property whose function is called "get NAME" is a pair; the value of any
// other is not.
func TestAccessorPairs(t *testing.T) {
	for name, want := range map[string]int{"get size": 1, "size": 0} {
		h := v8test.NewHeap(t, v8test.Node24)
		get := h.Function(name)
		pair := h.Object("ACCESSOR_PAIR", uint64(get.Closure), 0)
		v := New(h.Memory())
		l := &v.Layout.DescriptorArray
		descriptors := h.Object("DESCRIPTOR_ARRAY", make([]uint64, 8)...)
		h.Put32(descriptors.Addr().Add(int64(v.Slots(1))), 1)
		h.Put(descriptors.Addr().Add(int64(l.Header+v.Slots(l.Value))), uint64(pair))
		m := h.MapOf("JS_OBJECT")
		h.Put(m.Addr().Add(int64(v.Layout.Map.Descriptors)), uint64(descriptors))
		o := h.Object("JS_OBJECT", 0, 0)
		v = New(h.Memory())
		v.objects = func() sampleList { return sampleList{{o.Addr(), m}} }
		if got := accessorPairs(v); len(got) != want || want == 1 && got[0] != pair {
			t.Errorf("%s: %v", name, got)
		}
	}
}
