package dap

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
)

// launchLive opens a live core with the files in its folder root, if it has one.
func launchLive(t *testing.T, dir string) *editor {
	t.Helper()
	e := connect(t, func(l *Launch) (*commands.Session, error) {
		var o coredbg.Options
		if root := filepath.Join(dir, "root"); exists(root) {
			o.Sysroot, o.Search = root, []string{root}
		}
		return coredbg.Open(l.Core, o)
	})
	e.ask("initialize", "")
	e.ask("launch", fmt.Sprintf(`{"core":%q}`, filepath.Join(dir, "core")))
	return e
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// paged reads the list of threads in pages of seven.
func (e *editor) paged() (list []protocol.Thread) {
	e.t.Helper()
	for {
		var page threadsBody
		if err := json.Unmarshal([]byte(e.ask("threads", fmt.Sprintf(`{"startThread":%d,"threadCount":7}`, len(list)))),
			&page); err != nil {
			e.t.Fatal(err)
		}
		if list = append(list, page.Threads...); len(list) >= page.Total || len(page.Threads) == 0 {
			return list
		}
	}
}

func (e *editor) frames(thread int) []protocol.StackFrame {
	e.t.Helper()
	var st protocol.StackTraceResponseBody
	if err := json.Unmarshal([]byte(e.ask("stackTrace", fmt.Sprintf(`{"threadId":%d}`, thread))), &st); err != nil {
		e.t.Fatal(err)
	}
	return st.StackFrames
}

// variablesOf returns the answers for the arguments and the locals of a frame.
func (e *editor) variablesOf(frame int) string {
	e.t.Helper()
	var scopes protocol.ScopesResponseBody
	json.Unmarshal([]byte(e.ask("scopes", fmt.Sprintf(`{"frameId":%d}`, frame))), &scopes)
	all := ""
	for _, s := range scopes.Scopes {
		all += e.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`, s.VariablesReference))
	}
	return all
}

// awaiting are the numbers of calls that async.js leaves waiting in each function (its table "waiting"; six
// calls of shares wait for one promise).
var awaiting = map[string]int{"one": 5, "two": 7, "callsTwo": 4, "generates": 2, "consumes": 2,
	"combines": 1, "shares": 6}

// TestAsyncCalls: calls of async functions that wait are among the threads, each with its place, its callers
// and its values. The truth is async.js, the lines that it marks, and the Error.stack of its innermost
// function.
func TestAsyncCalls(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := launchLive(t, dir)
			count, ids := map[string]int{}, map[string]int{}
			for _, x := range e.paged() {
				if name, ok := strings.CutPrefix(x.Name, "async call "); ok {
					_, name, _ = strings.Cut(name, " ")
					count[name]++
					ids[name] = x.Id
				}
			}
			for line, text := range strings.Split(readText(t, filepath.Join(dir, "async.js")), "\n") {
				_, name, marked := strings.Cut(text, "// awaits ")
				if want := awaiting[name]; marked && want > 0 {
					if got := placed(count, fmt.Sprintf("%s (async.js:%d:", name, line+1)); got != want {
						t.Errorf("%d calls wait in %s, want %d, of %v", got, name, want, count)
					}
				}
			}
			callsEqualTruth(t, e, dir, ids)
		})
	}
}

// placed counts the calls whose names begin with a function and its line.
func placed(count map[string]int, prefix string) (n int) {
	for name, k := range count {
		if strings.HasPrefix(name, prefix) {
			n += k
		}
	}
	return n
}

// callsEqualTruth compares the frames of the innermost call that awaits, from the consumer of the generator
// on, with Error.stack.
func callsEqualTruth(t *testing.T, e *editor, dir string, ids map[string]int) {
	t.Helper()
	want := []string{}
	for line := range strings.Lines(readText(t, filepath.Join(dir, "truth.txt"))) {
		call, async := strings.CutPrefix(strings.TrimSpace(line), "at async ")
		if async && (len(want) > 0 || strings.HasPrefix(call, "consumer ")) {
			want = append(want, call)
		}
	}
	id := 0
	for name, x := range ids {
		if strings.HasPrefix(name, "consumer (") {
			id = x
		}
	}
	got := []string{}
	for i, f := range e.frames(id) {
		name := strings.TrimPrefix(f.Name, "await ")
		if f.Source != nil {
			name = fmt.Sprintf("%s (%s:%d:%d)", name, f.Source.Path, f.Line, f.Column)
		}
		got = append(got, name)
		switch vars := e.variablesOf(f.Id); {
		case f.Source == nil && strings.Contains(vars, `"name":"this"`):
			t.Errorf("%s has variables: %s", name, vars)
		case f.Source != nil && (!strings.Contains(vars, `"name":"value","value":"\"value\""`) ||
			!strings.Contains(vars, `"name":"this"`)):
			t.Errorf("#%d %s has not its argument \"value\": %s", i, name, vars)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("frames %q\nwant %q", got, want)
	}
}

var (
	virtualHead  = regexp.MustCompile(`(?m)^virtual #(\d+) "(.*)" \w+$`)
	hiddenFrames = regexp.MustCompile(`^jdk\.internal\.vm\.Continuation\.|VThreadContinuation|\$\$Lambda|\$\$StringConcat|^java\.lang\.Thread\.runWith |^java\.lang\.VirtualThread\.(yieldContinuation|notifyJvmti\w+) `)
)

// TestVirtualThreads: virtual threads that no thread carries are among the threads, by their names, with the
// frames that the program has printed (Thread.getStackTrace) and with variables.
func TestVirtualThreads(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e := launchLive(t, dir)
			printed, heads := map[string][]string{}, map[string]string{} // by number
			number := ""
			for line := range strings.Lines(readText(t, filepath.Join(dir, "out.txt"))) {
				line = strings.TrimRight(line, "\n")
				if m := virtualHead.FindStringSubmatch(line); m != nil {
					number, heads[m[1]] = m[1], m[2]
				}
				if f, ok := strings.CutPrefix(line, "\tvt "); ok {
					printed[number] = append(printed[number], f)
				}
			}
			threads, variables := 0, 0
			for _, x := range e.paged() {
				rest, virtual := strings.CutPrefix(x.Name, "virtual thread ")
				if !virtual {
					continue
				}
				threads++
				number, name, _ := strings.Cut(rest, " ")
				if !strings.HasPrefix(name, heads[number]) || !strings.Contains(name, "Virtual.") {
					t.Errorf("%q is called %q", x.Name, heads[number])
				}
				got, seen := []string{}, false
				for _, f := range e.frames(x.Id) {
					if strings.Contains(f.Name, " ") {
						continue // code of HotSpot's own, which blocks: "C2 Runtime complete_monitor_locking"
					}
					place := f.Name
					if f.Source != nil && f.Line > 0 {
						place = fmt.Sprintf("%s %s:%d", f.Name, f.Source.Name, f.Line)
					}
					if got = append(got, place); strings.HasPrefix(place, "Virtual.") && !seen {
						seen = true
						variables += strings.Count(e.variablesOf(f.Id), `"name":"`)
					}
				}
				got = slices.DeleteFunc(got, hiddenFrames.MatchString)
				if !slices.Equal(got, printed[number]) {
					t.Errorf("%s: frames\n%s\nwant, as the program has printed them,\n%s", x.Name,
						strings.Join(got, "\n"), strings.Join(printed[number], "\n"))
				}
			}
			if threads < 25 || variables < 25 {
				t.Errorf("%d virtual threads with %d variables, want 25 of each", threads, variables)
			}
		})
	}
}
