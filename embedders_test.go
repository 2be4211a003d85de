package coredbg

import (
	"bytes"
	"slices"
	"testing"

	"coredbg/runtimes/deno"
	"coredbg/runtimes/node"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/v8test"
)

// TestEmbeddersOfPrograms: a program has the readers that its name does not rule out.
func TestEmbeddersOfPrograms(t *testing.T) {
	r := object.New(v8test.NewHeap(t, v8test.Node24).Memory(), nil)
	hs := heap.New(r, nil)
	for name, want := range map[string][]string{
		embedder.Node:        {"Node"},
		embedder.Deno:        {"Node", "Deno"}, // it has API of Node
		embedder.Electron:    {"Node", "Blink"},
		embedder.Chromium:    {"Node", "Blink"}, // pages have modules that were written for Node
		embedder.QtWebEngine: {"Node", "Blink"},
		embedder.Workerd:     {"Node"},
		embedder.Bare:        {"Node"},
		"v8go":               {"Node", "Blink"}, // it is not known
		"":                   {"Node", "Blink"},
	} {
		var got []string
		p := &embedder.Program{Name: name, Objects: r, Heaps: hs, Frames: frame.New(r, source.New(r), hs, nil)}
		for _, e := range embedder.Find(p, embedders()) {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", name, got, want)
		}
	}
}

// TestEmbedderOfSession: commands get the reader that the probe of V8 made, and change none.
func TestEmbedderOfSession(t *testing.T) {
	var out bytes.Buffer
	s, err := Open("testdata/cores/node-24.cdb", Options{Stdout: &out, Stderr: &out})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := v8.Among(s.Process, s.Found())
	if err != nil {
		t.Fatal(err)
	}
	before, ok := v8.EmbedderOf[*node.Reader](v)
	if _, is := v8.EmbedderOf[*deno.Reader](v); !ok || is {
		t.Fatalf("Node %v, Deno %v", ok, is)
	}
	if err := s.Run(t.Context(), "::nodeinfo; ::uvloop; ::isolates"); err != nil {
		t.Fatal(err, out.String())
	}
	if after, _ := v8.EmbedderOf[*node.Reader](v); after != before || out.Len() == 0 {
		t.Error("the reader of Node was made anew")
	}
}
