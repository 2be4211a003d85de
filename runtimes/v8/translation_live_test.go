package v8

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// TestTranslationsWhole decodes every translation of the optimized code in live cores. The counts of frames and
// of values in each must equal the declared ones. Objects that a dead code object refers to may have been swept
// and reused.
func TestTranslationsWhole(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			_, _, v := OpenCore(t, path)
			h, err := v.Heaps.Snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			typ := v.Types.InstructionStream
			if v.Layout.Code.FromBody == layout.Unknown {
				typ = v.Types.Code
			}
			streams, err := h.OfType(context.Background(), typ)
			if err != nil {
				t.Fatal(err)
			}
			g, err := h.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			live := heap.Reachable(g)
			codes, dead, translations := 0, 0, 0
			for _, o := range streams {
				c := v.Objects.ReadCode(o)
				if c == nil {
					continue
				}
				if !live(o) {
					dead++
					continue
				}
				if _, ok := v.Objects.CodeShared(c); ok && !t.Failed() {
					codes++
					translations += checkTranslations(t, v, c)
				}
			}
			t.Logf("%d translations of %d code objects; %d that nothing holds", translations, codes, dead)
		})
	}
}

// checkTranslations decodes all deoptimization entries of one code object.
func checkTranslations(t *testing.T, v *V8, c *code.Code) int {
	t.Helper()
	d, _ := v.Objects.DeoptData(c)
	arr, _ := v.Objects.Element(d, v.Layout.DeoptimizationData.FrameTranslation)
	table, ok := v.Objects.ByteArray(arr, bytecode.MaxTable)
	set, err := v.Frames.TranslationSet(table)
	if err != nil {
		t.Fatal(err)
	}
	words, _ := v.SmiField(d, v.Layout.FixedArray.Length)
	if !ok || (words-v.Layout.DeoptimizationData.FirstEntry)%3 != 0 {
		t.Errorf("%v: %d words of deoptimization data, translations %v", c.Obj.Addr(), words, ok)
		return 0
	}
	n := v.Frames.DeoptExits(c)
	for i := range n {
		at, ok := v.Frames.SmiElement(d, v.Layout.DeoptimizationData.FirstEntry+3*i+1)
		if !ok {
			t.Errorf("%v: entry %d has no translation", c.Obj.Addr(), i)
			continue
		}
		ops, err := set.Decode(table, at)
		if err != nil {
			t.Errorf("%v: entry %d: %v", c.Obj.Addr(), i, err)
			continue
		}
		checkOperations(t, v, set, d, ops)
		if t.Failed() {
			return i
		}
	}
	points, err := v.Frames.SafepointTable(c)
	if err != nil {
		t.Errorf("%v: %v", c.Obj.Addr(), err)
		return n
	}
	last := -1
	for s := range points.All() {
		if s.PC <= last || uint64(s.PC) > c.Size || s.Deopt >= n || (s.Deopt < 0) != (s.Trampoline < 0) {
			t.Errorf("%v: safepoint %+v after %#x, of %d entries and %#x bytes", c.Obj.Addr(), s, last, n, c.Size)
		}
		last = s.PC
	}
	return n
}

// checkOperations counts frames, and the values of each:
// TranslatedFrame::GetValueCount, deoptimizer/translated-state.cc.
func checkOperations(t *testing.T, v *V8, set *frame.TranslationSet, d layout.Tagged, ops []frame.TranslationOp) {
	t.Helper()
	wantFrames, wantJS := ops[0].Operands[0], ops[0].Operands[1]
	if set.Encoding == frame.OpcodeBytes {
		wantFrames, wantJS = ops[0].Operands[1], ops[0].Operands[2]
	}
	var frames, js int64
	for i, op := range ops {
		switch op.Name {
		case frame.OpBuiltinFunction:
			js++
			frames++
		case frame.OpConstructCreateStub, frame.OpConstructInvokeStub, frame.OpFrame:
			frames++
		case frame.OpInterpretedWithReturn, frame.OpInterpretedWithoutReturn:
			js++
			frames++
			shared, ok := v.Frames.SharedLiteral(d, int(op.Operands[1]))
			bytecode, ok2 := v.Objects.BytecodeOf(shared)
			if !ok || !ok2 {
				t.Errorf("frame %+v: its function is %v, %v", op, ok, ok2)
				continue
			}
			r := frame.TranslatedReader{V: &v.Frames.Deopt, Ops: ops[i+1:], DeoptData: d}
			values := r.Frame(v.Frames.RegisterCount(bytecode))
			height := op.Operands[2]
			if v.Layout.Version.Before(7, 8) {
				height-- // it counts the accumulator (deoptimizer/deoptimizer.cc @ 7.4)
			}
			if set == frame.Translations136 {
				// it comes after the literal of the bytecode, without a sign
				height = int64(v.Frames.RegisterCount(bytecode))
			}
			if params := v.Objects.BytecodeParams(bytecode); sizesOf(values) != [2]int{params, int(height)} {
				t.Errorf("frame %+v of %s, which has %d parameters and %d registers: %v", op,
					v.Objects.SharedName(shared), params, height, sizesOf(values))
			}
		}
	}
	if frames != wantFrames || js != wantJS {
		t.Errorf("%d frames, %d of JavaScript; BEGIN says %d and %d: %+v", frames, js, wantFrames, wantJS, ops)
	}
}

// sizesOf returns the numbers of parameters and registers.
func sizesOf(t *frame.TranslatedValues) [2]int {
	if t == nil {
		return [2]int{-1, -1}
	}
	return [2]int{len(t.Parameters), len(t.Registers)}
}
