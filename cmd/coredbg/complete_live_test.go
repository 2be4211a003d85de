package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// liveWords are lines by the beginning of a live core's name, with a word that the tab key has to offer and
// one that it must not. Truth: the programs' sources, Heap.java, threads.c (it dies in line 62) and values.cc
// (it dies in line 73).
var liveWords = []struct{ core, line, want, not string }{
	{"java-heap-", "::javaprint Heap.arr", "Heap.arrayList", "Heap.number"},
	{"java-heap-", "::javaprint java.lang.System.o", "java.lang.System.out", "java.lang.System.in"},
	{"java-heap-", "p Heap.numb", "Heap.number", "Heap.nil"},
	{"java-heap-", "print java.lang.System.e", "java.lang.System.err", "java.lang.System.out"},
	{"threads-O0", "::source threads.", "threads.c:", ""},
	{"threads-O0", "list threads.c:6", "threads.c:62", "threads.c:71"},
	{"threads-O0", "break threads.c:62", "threads.c:62", ""},
	{"values-shared-O2", "info line values.cc:7", "values.cc:73", "values.cc:1"},
	{"node-24.21.0-oom", "p al", "all", ""},
}

// TestLiveComplete checks the tab key's offers on cores of HotSpot and of native programs.
func TestLiveComplete(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			tried := 0
			for _, x := range liveWords {
				if !strings.HasPrefix(filepath.Base(dir), x.core) {
					continue
				}
				tried++
				_, words, _ := s.Complete(x.line, len(x.line))
				if !slices.Contains(words, x.want) || x.not != "" && slices.Contains(words, x.not) {
					t.Errorf("%s: %q is not among %d words, or %q is: %.300q", x.line, x.want, len(words), x.not, words)
				}
			}
			if tried == 0 {
				t.Error("no line is for this core")
			}
		})
	}
}

// TestLiveNext is TestNextCommandsAnswer for causes that no core of the corpus has.
func TestLiveNext(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkNext(t, filepath.Join(dir, "core"), false) })
	}
}
