package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"coredbg/core/coretest"

	"coredbg"
)

// TestNumbering: calls that a library's compiler has inlined, which only its separate debug file
// records, do not change the numbers of frames. ::frame takes the numbers of ::stack and of ::stack -v.
func TestNumbering(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	coretest.Programs(t, "gcc", "gdb", "objcopy")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"lib.c": `static inline __attribute__((always_inline)) int innermost(volatile int *p) { return *p; }
static inline __attribute__((always_inline)) int inner(volatile int *p) { return innermost(p) + 1; }
int outer(volatile int *p) { return inner(p) + 1; }
`,
		"main.c": `extern int outer(volatile int *p);
static __attribute__((noinline)) int call(volatile int *p) { return outer(p) + 1; }
int main(void) { return call(0) + 1; }
`,
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"gcc", "-g", "-O2", "-fPIC", "-shared", "-Wl,--build-id", "-o", in("libouter.so"), in("lib.c")},
		{"objcopy", "--only-keep-debug", in("libouter.so"), in("libouter.so.debug")},
		{"objcopy", "--strip-debug", "--add-gnu-debuglink=" + in("libouter.so.debug"), in("libouter.so")},
		{"gcc", "-g", "-O1", "-fno-optimize-sibling-calls", "-o", in("program"), in("main.c"), in("libouter.so")},
		{"gdb", "-nx", "-batch", "-ex", "run", "-ex", "generate-core-file " + in("core"), in("program")},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "DEBUGINFOD_URLS=", "LD_LIBRARY_PATH="+dir)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, text)
		}
	}
	s, err := coredbg.Open(in("core"), coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	type frame struct {
		Index   int
		Name    string
		Inlined bool
		Args    map[string]any `json:"arguments"`
	}
	type thread struct{ Frames []frame }
	for line, want := range map[string][]frame{
		"::stack": {{0, "outer", false, nil}, {1, "call", false, nil}, {2, "main", false, nil}},
		"::stack -v": {{0, "innermost", true, nil}, {0, "inner", true, nil}, {0, "outer", false, nil},
			{1, "call", false, nil}, {2, "main", false, nil}},
	} {
		got := records[thread](t, s, line)
		if len(got) != 1 || len(got[0].Frames) < len(want) {
			t.Fatalf("%s: %+v", line, got)
		}
		for i, w := range want {
			if f := got[0].Frames[i]; f.Index != w.Index || f.Name != w.Name || f.Inlined != w.Inlined {
				t.Errorf("%s: frame %d is %+v, not %+v", line, i, f, w)
			}
			if f := got[0].Frames[i]; line == "::stack -v" && i < 4 && len(f.Args) != 1 {
				t.Errorf("%s: of %s there are the arguments %v", line, f.Name, f.Args)
			}
		}
	}
	type chosen struct {
		Frame, Index   int
		Function, Name string
	}
	if got := records[chosen](t, s, "::frame 1"); len(got) != 1 || got[0].Function+got[0].Name != "call" {
		t.Errorf("::frame 1: %+v", got)
	}
}
