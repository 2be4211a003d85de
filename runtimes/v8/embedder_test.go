package v8

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/v8test"
)

// A madeEmbedder knows a wait and names threads.
type madeEmbedder struct{ program *embedder.Program }

func (*madeEmbedder) Name() string { return "made" }

func (*madeEmbedder) Waits(context.Context) []runtimes.Wait { return []runtimes.Wait{{Count: 3}} }

func (*madeEmbedder) WorkerNames(context.Context) (map[core.Addr]string, error) {
	return map[core.Addr]string{8: "one"}, nil
}

func (*madeEmbedder) WorkerName(*core.Thread) (string, bool) { return "one", true }

// TestEmbedderOnce: the embedder of a program is made once, whatever V8 and its user ask it.
func TestEmbedderOnce(t *testing.T) {
	made := 0
	mem := v8test.NewHeap(t, v8test.Node24).Memory()
	mem.Image.Embedder = "-node.1"
	v := newV8(fit.New(mem), nil, func(*embedder.Program) embedder.Embedder { return nil },
		func(p *embedder.Program) embedder.Embedder {
			made++
			return &madeEmbedder{p}
		})
	first, ok := EmbedderOf[*madeEmbedder](v)
	if !ok || first.program.Name != embedder.Node || first.program.Objects != v.Objects ||
		first.program.Heaps != v.Heaps || first.program.Frames != v.Frames {
		t.Fatalf("the embedder is %+v, %v", first, ok)
	}
	names, err := v.WorkerNames(t.Context())
	if err != nil || names[8] != "one" {
		t.Errorf("the names of workers are %v, %v", names, err)
	}
	if name, _, ok := v.DescribeThread(&core.Thread{}); !ok || name != "one" {
		t.Errorf("a thread is named %q, %v", name, ok)
	}
	if list := v.Waits(t.Context()); len(list) != 1 || list[0].Count != 3 {
		t.Errorf("the program waits for %v", list)
	}
	if list := v.Queued(t.Context()); list != nil {
		t.Errorf("callbacks %v of an embedder that cannot tell", list)
	}
	if again, _ := EmbedderOf[*madeEmbedder](v); again != first || made != 1 {
		t.Errorf("the embedder was made %d times", made)
	}
}

// TestNoEmbedder: a V8 whose program no probe knows has no embedder, and nothing answers for it.
func TestNoEmbedder(t *testing.T) {
	mem := v8test.NewHeap(t, v8test.Node24).Memory()
	mem.Image.Embedder = "-mine.1"
	asked := ""
	v := newV8(fit.New(mem), nil, func(p *embedder.Program) embedder.Embedder {
		asked = p.Name
		return nil
	})
	if e, ok := EmbedderOf[embedder.Embedder](v); ok || asked != "mine" {
		t.Errorf("the embedder of %q is %v", asked, e)
	}
	names, err := v.WorkerNames(t.Context())
	if names != nil || err != nil {
		t.Errorf("the names of workers are %v, %v", names, err)
	}
	places, err := v.Locations(t.Context())
	if places != nil || err != nil {
		t.Errorf("the locations are %v, %v", places, err)
	}
	_, _, named := v.DescribeThread(&core.Thread{})
	_, _, ran := v.Ran(t.Context(), &core.Thread{})
	if named || ran || v.Waits(t.Context()) != nil || v.Queued(t.Context()) != nil || v.Packed(t.Context()) != "" ||
		v.ModuleOf(8) != "" || v.Question(t.Context(), nil, "process.pid") != nil ||
		v.keptMaps(t.Context(), "a.js", "") != nil {
		t.Error("something answers for an unknown program")
	}
}
