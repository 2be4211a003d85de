package sym

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
)

// inlineSource has functions that an optimising compiler inlines, in a
// namespace, a class and a template.
const inlineSource = `#include <cstdio>
#include <cstdlib>
#include <vector>
namespace app {
static inline int leaf(int x) { if (x > 100) abort(); return x * 3; }
template <class T> inline T twice(T x) { return leaf(x) + leaf(x + 1); }
struct Box {
  std::vector<int> v;
  int sum() const { int s = 0; for (int x : v) s += twice(x); return s; }
};
__attribute__((noinline)) int outer(const Box &b, int n) {
  auto pick = [&](int i) { return twice(b.v[i % b.v.size()]); };
  int s = 0;
  for (int i = 0; i < n; i++) {
    int t = pick(i);
    s += t;
  }
  return s + b.sum();
}
}
int main(int argc, char **argv) {
  app::Box b;
  for (int i = 0; i < argc + 5; i++) b.v.push_back(i);
  printf("%d\n", app::outer(b, argc));
  return 0;
}
`

func build(t *testing.T, compiler string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no %s", compiler)
	}
	dir := t.TempDir()
	src, out := filepath.Join(dir, "inline.cc"), filepath.Join(dir, "inline")
	if err := os.WriteFile(src, []byte(inlineSource), 0o644); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(compiler, append(flags, "-o", out, src)...).CombinedOutput(); err != nil {
		t.Skipf("%s %v: %v\n%s", compiler, flags, err, msg)
	}
	return out
}

// lineString writes lines as addr2line -af does.
func lineString(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		name, file, line := l.Func, l.File, fmt.Sprint(l.Line)
		if name == "" {
			name = "??"
		}
		if file == "" {
			file = "??"
		}
		if l.Line == 0 {
			line = "?"
		}
		fmt.Fprintf(&b, "%s %s:%s\n", name, filepath.Clean(file), line)
	}
	return b.String()
}

// addr2line asks a tool for the places of addresses, inlined ones too. That of
// binutils 2.40 misses functions whose ranges clang wrote as DW_FORM_rnglistx,
// so LLVM's own is asked about clang's programs.
func addr2line(t *testing.T, tool, path string, at []uint64) map[uint64]string {
	t.Helper()
	cmd := exec.Command(tool, "-aif", "-e", path)
	var in strings.Builder
	for _, a := range at {
		fmt.Fprintf(&in, "%#x\n", a)
	}
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s: %v", tool, err)
	}
	truth := map[uint64]string{}
	var a uint64
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := 0; i < len(lines); {
		if strings.HasPrefix(lines[i], "0x") {
			fmt.Sscanf(lines[i], "0x%x", &a)
			i++
			continue
		}
		if i+1 < len(lines) {
			place, _, _ := strings.Cut(lines[i+1], " (discriminator")
			truth[a] += lines[i] + " " + strings.Replace(filepath.Clean(place)+"\n", ":0\n", ":?\n", 1)
		}
		i += 2
	}
	return truth
}

func TestLinesAgainstAddr2line(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs compilers")
	}
	for _, c := range []struct {
		compiler string
		flags    []string
		tool     string
	}{
		{"g++", []string{"-O2", "-g"}, "addr2line"},
		{"g++", []string{"-O0", "-gdwarf-4", "-no-pie"}, "addr2line"},
		{"g++", []string{"-O2", "-gdwarf-4", "-gz"}, "addr2line"},
		{"g++", []string{"-O2", "-gdwarf-3", "-ffunction-sections", "-Wl,--gc-sections"}, "addr2line"},
		{"clang++", []string{"-O2", "-g"}, "llvm-addr2line"},
		{"clang++", []string{"-O1", "-gdwarf-4"}, "llvm-addr2line"},
	} {
		t.Run(c.compiler+" "+strings.Join(c.flags, " "), func(t *testing.T) {
			path := build(t, c.compiler, c.flags...)
			img := openStd(t, path)
			text := img.f.Section(".text")
			var at []uint64
			for a := text.Addr; a < text.Addr+text.Size; a++ {
				at = append(at, a)
			}
			truth := addr2line(t, c.tool, path, at)
			p, m := process(img, 0x1000000)
			tab := NewTable(p)
			wrong, inlined := 0, 0
			for _, a := range at {
				lines := tab.Lines(core.Addr(a) + 0x1000000)
				if len(lines) > 1 {
					inlined++
				}
				got := lineString(lines)
				want := truth[a]
				if sameLines(got, want) {
					continue
				}
				if wrong++; wrong <= 3 {
					t.Logf("%#x:\n%swant\n%s", a, got, want)
				}
			}
			t.Logf("%d addresses, %d in inlined functions, %d differ", len(at), inlined, wrong)
			if wrong > len(at)/50 {
				t.Errorf("%d of %d addresses differ", wrong, len(at))
			}
			if err := tab.LinesError(m); err != nil {
				t.Error(err)
			}
		})
	}
}

// sameLines compares got with binutils' want, except for two things that binutils takes from the symbol
// table: names where there is no line information, and the name of the innermost function where that is
// in a part that the compiler split off (".cold").
func sameLines(got, want string) bool {
	if got == "" {
		return strings.HasSuffix(want, ":?\n")
	}
	first, rest, _ := strings.Cut(want, " ")
	if strings.HasSuffix(first, ".cold") {
		_, gotRest, _ := strings.Cut(got, " ")
		return gotRest == rest
	}
	return got == want
}
