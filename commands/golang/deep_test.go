package golang

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes/golang"
	"coredbg/stack"
	"coredbg/walk"
)

// deepStack returns a stack of 3,000 frames.
func deepStack(t *testing.T, o stack.Options) *stack.Stack {
	p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).Thread(1,
		map[string]uint64{"rip": 0x1010}).Process()
	e := &stack.Engine{Process: p, Symbols: sym.NewTable(p),
		Walk: func(context.Context, *core.Thread, ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
			return func(yield func(walk.Frame, error) bool) {
				for i := range 3000 {
					if !yield(walk.Frame{PC: core.Addr(0x1010 + i%7), SP: core.Addr(0x7000 + 32*i)}, nil) {
						return
					}
				}
			}
		}}
	return e.Thread(t.Context(), p.Threads[0], o)
}

// TestDeepGoroutine: the stack of one goroutine and of a group keeps a bounded number of frames, and is written as
// one that keeps all.
func TestDeepGoroutine(t *testing.T) {
	form := commands.StackForm{Verbose: true}
	g := &golang.Goroutine{ID: 7, Status: "waiting"}
	written := func(o stack.Options, held int) (texts []string) {
		st := deepStack(t, o)
		if len(st.Frames) != held {
			t.Errorf("of 3,000 frames %d are kept, want %d", len(st.Frames), held)
		}
		one := withStack(&goroutineRecord{GoID: 7, g: g, stack: st}, form)
		group := &goroutineGroup{groupJSON{Count: 2, IDs: []uint64{7, 8}, goroutineRecord: one.of}}
		for _, r := range []interface{ Text(*out.Writer) }{one, group} {
			var text, js bytes.Buffer
			r.Text(out.NewWriter(&text))
			out.NewWriter(&js).JSON(r)
			whole, err := out.Marshal(r)
			if err != nil || !json.Valid(js.Bytes()) || bytes.Count(js.Bytes(), []byte(`"index"`)) != 3000 {
				t.Errorf("%T, %v: %.200s…", r, err, js.String())
			}
			texts = append(texts, text.String(), js.String(), string(whole)+"\n")
		}
		return texts
	}
	got, want := written(optionsOf(form), commands.HoldDetailed), written(stack.Options{Lines: true}, 3000)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("text %d: %.300s…, want %.300s…", i, got[i], want[i])
		}
		if i%3 == 2 && want[i] != want[i-1] {
			t.Errorf("JSON of a whole record: %.300s…, want %.300s…", want[i], want[i-1])
		}
	}
}
