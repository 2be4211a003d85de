package js

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func text(r commands.Record) string {
	var b bytes.Buffer
	commands.WriteText(out.NewWriter(&b), r)
	return b.String()
}

func TestValueRecords(t *testing.T) {
	cut := newString(0x11, "ab", &object.StringError{Length: 9, Got: 2, Reason: "cut"},
		object.StringInfo{Kind: object.ConsString, OneByte: true, Length: 9, Parts: []layout.Tagged{0x21, 0x31}}, true)
	for _, c := range []struct {
		rec        commands.Record
		text, json string
	}{
		{newSmi(0x700000000, 7), "0x700000000: Smi (value 7)\n",
			`{"type":"v8type","addr":"0x700000000","class":"Smi","value":7}`},
		{newType(0x11, layout.InstanceType{Number: 2065, Name: "JS_FUNCTION_TYPE", Class: "JSFunction"}),
			"0x11: JSFunction (JS_FUNCTION_TYPE)\n",
			`{"type":"v8type","addr":"0x11","class":"JSFunction","instance_type":"JS_FUNCTION_TYPE","instance_type_number":2065}`},
		{newString(0x11, "hi", nil, object.StringInfo{}, false), "hi\n",
			`{"type":"jsvalue","addr":"0x11","value":"hi"}`},
		{cut, "0x11: cons string, one-byte, 9 code units\n    first: 0x21\n    second: 0x31\nab\n(2 of 9 code units: cut)\n",
			`{"type":"jsvalue","addr":"0x11","value":{"$":"string","length":9,"value":"ab"},"representation":"cons","encoding":"one-byte","length":9,"parts":["0x21","0x31"]}`},
	} {
		if got := text(c.rec); got != c.text {
			t.Errorf("text: got %q, want %q", got, c.text)
		}
		if b, err := out.Marshal(c.rec); err != nil || string(b) != c.json {
			t.Errorf("json: got %s, %v, want %s", b, err, c.json)
		}
	}
}

// TestCommandsAreDocumented: help is made of these.
func TestCommandsAreDocumented(t *testing.T) {
	for _, c := range Commands() {
		if c.Summary == "" || c.Detail == "" || c.Example == "" || c.Module != target.Module || c.Run == nil {
			t.Errorf("%s lacks a part of its help", c.Name)
		}
	}
}

// TestStatistics: the record says how its figures were computed, and which are guesses.
func TestStatistics(t *testing.T) {
	r := newStatistics(&heap.HeapStatistics{Isolate: 0x10,
		Heap: []heap.HeapStatistic{{Name: "heap_size_limit", Value: 8, Known: true},
			{Name: "max_semi_space_size", Value: 2, Known: true, Guess: true}, {Name: "used_heap_size"}}}, false)
	b, err := out.Marshal(r)
	want := `{"type":"v8heapstatistics","isolate":"0x10","computed_by":"v8::Isolate::GetHeapStatistics","heap":{"heap_size_limit":8,"max_semi_space_size":2},"guessed":["max_semi_space_size"]}`
	if err != nil || string(b) != want {
		t.Errorf("%v: %s", err, b)
	}
	if got := text(r); !strings.Contains(got, "computed by running its code") || strings.Count(got, "(a guess)") != 1 {
		t.Errorf("got %s", got)
	}
}
