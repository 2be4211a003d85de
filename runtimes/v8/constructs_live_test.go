package v8_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
)

// TestConstructs looks at the stack of testdata/cores/sources/v8/constructs.js
// at the moment when it was killed, which may be any: a function is called with
// new where its caller's text says so.
func TestConstructs(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "constructs.js"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(data), "\n")
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			// As Error.stack, which there knows nothing of the calls of
			// optimised code to constructors that are not expanded.
			_, hides := v.Symbols.Find(v.Image.Module.Path, layout.SymExpandFrames)
			frames, _ := stackOf(p, v, p.Threads[0])
			var stack []runtimes.SourceFrame
			for _, f := range jsStack(frames) {
				if f.Name != "new Promise" {
					stack = append(stack, f)
				}
			}
			looked := 0
			for i := 0; i+1 < len(stack); i++ {
				f, caller := stack[i], stack[i+1]
				if filepath.Base(caller.File) != "constructs.js" || caller.Line < 1 || caller.Line > len(lines) ||
					f.Kind != runtimes.JS {
					continue
				}
				at := lines[caller.Line-1]
				at = at[min(max(caller.Column-1, 0), len(at)):]
				want := strings.HasPrefix(at, "new ") || strings.HasPrefix(at, "super(") ||
					strings.HasPrefix(at, "class Lid")
				if f.Name == "executor" {
					want = false // called by Promise, which is expanded
				}
				got := strings.HasPrefix(f.Name, "new ")
				if looked++; got != want && !(want && hides && !f.Inlined) {
					t.Errorf("frame %d: %s, called by %s at %q", i, asError(f), asError(caller), at)
				}
			}
			for _, f := range stack[:min(len(stack), 4)] {
				t.Logf("%s [%s] %v", asError(f), f.Tier, f.Inlined)
			}
			if looked == 0 {
				t.Errorf("no frame of the program among %d", len(stack))
			}
		})
	}
}

// TestCapturedAsWords: the first error on the heap shows, for each release of Node, whether frames are captured
// as words. They are in a V8 that has the function CallSiteInfo::ExpandDeferredFrames.
func TestCapturedAsWords(t *testing.T) {
	seen := map[bool]int{}
	for _, dir := range coretest.Live(t) {
		_, _, v := openLive(t, filepath.Join(dir, "core"))
		if v.Layout.Version.Before(13, 0) {
			continue
		}
		_, want := v.Symbols.Find(v.Image.Module.Path, layout.SymExpandFrames)
		errors, err := v.Frames.Receivers(context.Background(),
			func(typ int) bool { return v.Types.Names[typ] == "JS_ERROR_TYPE" })
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, o := range errors {
			words, known := callsite.New(v.Objects).CapturedAsWords(o)
			if !known {
				continue
			}
			if told++; words != want {
				t.Errorf("%s: %x has its frames as words: %v, want %v", filepath.Base(dir), uint64(o), words, want)
			}
		}
		if told == 0 {
			t.Errorf("%s: none of %d errors has its frames", filepath.Base(dir), len(errors))
		}
		seen[want]++
	}
	if whole := coretest.OpenLive(t).Whole(); whole && (seen[true] == 0 || seen[false] == 0) {
		t.Errorf("%v", seen)
	}
}
