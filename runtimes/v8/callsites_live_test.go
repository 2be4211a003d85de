package v8_test

import (
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/source"
)

// TestCallPositions compares two sources of call positions: the text of a function, and its position table,
// which V8 made from the same text. It covers every function that has both.
func TestCallPositions(t *testing.T) {
	var known, all, functions atomic.Int64
	t.Run("cores", func(t *testing.T) {
		for _, dir := range coretest.Live(t) {
			t.Run(filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				_, _, v := openLive(t, filepath.Join(dir, "core"))
				list, err := heapOf(t, v).Functions(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for i := range list {
					n, of := checkCalls(t, v, list[i].Shared)
					known.Add(int64(n))
					all.Add(int64(of))
					functions.Add(1)
				}
			})
		}
	})
	t.Logf("%d of %d calls of %d functions are known", known.Load(), all.Load(), functions.Load())
	if 10*known.Load() < 7*all.Load() {
		t.Errorf("%d of %d calls are known", known.Load(), all.Load())
	}
}

var calls = regexp.MustCompile(`^(Call(Property|UndefinedReceiver|AnyReceiver|WithSpread)|Construct|SuspendGenerator)`)

// checkCalls compares the calls of a function and returns how many are known and how many there are.
func checkCalls(t *testing.T, v *v8.V8, shared layout.Tagged) (known, all int) {
	code, err := v.Objects.BytecodeArray(shared)
	if err != nil || code.Script == 0 || code.Problem != nil {
		return 0, 0
	}
	entries, ok := v.Objects.BytecodePositions(code.Word)
	if !ok {
		return 0, 0
	}
	for i := range code.Bytecodes {
		b := &code.Bytecodes[i]
		if !calls.MatchString(b.Name) {
			continue
		}
		all++
		got, ok := source.New(v.Objects).CallPosition(shared, b.Offset)
		if !ok {
			continue
		}
		known++
		want, _ := bytecode.LookupPosition(entries, b.Offset)
		if want.Offset() != got {
			t.Errorf("%s (%v), %s at %d: position %d, want %d", v.Objects.SharedName(shared), shared.Addr(), b.Name,
				b.Offset, got, want.Offset())
		}
	}
	return known, all
}
