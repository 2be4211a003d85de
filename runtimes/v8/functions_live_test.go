package v8_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"coredbg/core"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/object"
)

// TestFunctionsLive: main.js had TurboFan compile turboHot, with midInlinee and tinyInlinee inlined (the
// program uses natives syntax, and wrote the stack), unless V8 reported otherwise. The script's length and
// number of lines equal the file's.
func TestFunctionsLive(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			ctx := context.Background()
			h, err := v.Heaps.Snapshot(ctx)
			if err != nil {
				t.Fatal(err)
			}
			list, err := h.Functions(ctx)
			if err != nil || len(list) < 500 {
				t.Fatalf("%d functions, %v", len(list), err)
			}
			i := slices.IndexFunc(list, func(f heap.SharedFunction) bool {
				return f.Name == "turboHot" &&
					filepath.Base(f.File) == "main.js"
			})
			if i < 0 {
				t.Fatal("no function turboHot")
			}
			checkScripts(t, h, dir)
			checkTurboHot(t, v, dir, &list[i])
		})
	}
}

func checkTurboHot(t *testing.T, v *v8.V8, dir string, f *heap.SharedFunction) {
	if len(f.Closures) != 1 {
		t.Errorf("turboHot has closures %v", f.Closures)
	}
	if strings.Contains(dir, "jitless") {
		if f.Tier != "interpreter" {
			t.Errorf("turboHot: %s without a compiler", f.Tier)
		}
		return
	}
	want := optimised(t, dir)
	if want == "" {
		return // V8 was still compiling, or had given up
	}
	k := slices.IndexFunc(f.Codes, func(c object.CodeRange) bool { return c.Tier == "turbofan" })
	if f.Tier != "turbofan" || k < 0 {
		if f.Tier != want {
			t.Errorf("turboHot: %s, %v; V8 said %s", f.Tier, f.Codes, want)
		}
		return
	}
	found := false
	for _, c := range f.Codes {
		if c.Tier != "turbofan" {
			continue
		}
		for _, at := range []core.Addr{core.Addr(c.Word), c.Start, c.Start + core.Addr(c.Size) - 1} {
			i, err := v.Frames.CodeInfo(at)
			if err != nil || i.Word != c.Word || i.Name != "turboHot" || i.Tier != "turbofan" {
				t.Errorf("%v: %+v, %v", at, i, err)
				continue
			}
			var names []string
			for _, s := range i.Inlined {
				if g, err := v.Objects.Function(s); err == nil {
					names = append(names, g.Name)
				}
			}
			found = found || slices.Contains(names, "midInlinee") && slices.Contains(names, "tinyInlinee")
			for _, s := range i.Safepoints {
				if s.PC > i.Size {
					t.Errorf("safepoint %+v of %d bytes", s, i.Size)
				}
			}
		}
	}
	if !found {
		t.Error("no code of turboHot has the two inlined functions")
	}
}

// optimised returns the name of the compiler whose code turboHot had just before its stack was built, or "",
// according to the program's own %GetOptimizationStatus. The bits are defined by OptimizationStatus in
// runtime/runtime.h @ 7.4 (Node 12), 10.2 (18) and 14.1 (25).
func optimised(t *testing.T, dir string) string {
	t.Helper()
	var status map[string]int
	text, err := os.ReadFile(filepath.Join(dir, "optstatus.txt"))
	if err == nil {
		err = json.Unmarshal(text, &status)
	}
	release, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), "node-"), ".")
	node, _ := strconv.Atoi(release)
	if err != nil || node == 0 {
		t.Fatalf("%s: release %q, %v", dir, release, err)
	}
	maglev, turbofan := 0, 1<<5
	switch {
	case node >= 25:
		maglev = 1 << 4
	case node >= 18:
		maglev, turbofan = 1<<5, 1<<6
	}
	switch s := status["turboHot"]; {
	case s&turbofan != 0:
		return "turbofan"
	case s&maglev != 0:
		return "maglev"
	}
	return ""
}

func checkScripts(t *testing.T, h *heap.Snapshot, dir string) {
	list, err := h.Scripts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if !strings.HasSuffix(s.Name, filepath.Join("/", filepath.Base(dir), "main.js")) {
			continue
		}
		if n := len(utf16.Encode([]rune(string(text)))); s.Length != n || s.Type != "normal" ||
			s.Lines != strings.Count(string(text), "\n")+1 {
			t.Errorf("main.js: %+v; the file has %d characters", s, n)
		}
		return
	}
	t.Error("no script main.js")
}
