package eval

import (
	"math"
	"os"
	"strings"
	"testing"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
	"coredbg/runtimes/v8/v8test"
)

// typed evaluates a text as it is typed into a console, over a heap without a realm, and writes the value as
// JSON.stringify does, or as String does.
func typed(t *testing.T, text string) string {
	t.Helper()
	n, err := syntax.ParseExpression(text)
	if err != nil {
		if n, err = syntax.ParseProgram(text); err != nil {
			return err.Error()
		}
	}
	steps, out := ecma.MaxSteps, ""
	e := New(object.New(v8test.NewMadeHeap(0x1000).Memory(), nil))
	none := func(string) (object.Slot, error) { return object.Slot{}, object.ErrNoGlobal }
	_, err = e.Call(noHost{}, &steps, func(m *ecma.Machine) ecma.Value {
		out = shownAs(m, Evaluate(m, Place{Look: none, Kept: map[string]*ecma.Value{}}, n))
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return out
}

func shownAs(m *ecma.Machine, v ecma.Value) string {
	digits := m.Native("", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		if b, ok := ecma.Arg(args, 1).(ecma.BigInt); ok {
			return string(b) + "n"
		}
		return ecma.Arg(args, 1)
	})
	switch x := v.(type) {
	case ecma.BigInt:
		return string(x) + "n"
	case float64:
		if x == 0 && math.Signbit(x) {
			return "-0"
		}
	case string, *ecma.Object:
		if m.TypeOf(x) == "function" {
			break
		}
		if s, ok := library.Stringify(m, nil, []ecma.Value{x, digits}).(string); ok {
			return s
		}
	}
	if m.TypeOf(v) == "symbol" {
		return ecma.ShownValue(m, v)
	}
	return m.Text(v)
}

// TestConsole evaluates what people type into consoles. Node 26.12.1 gave the wanted values (20.20.2 those of
// constants), and its JSON.stringify wrote them; a line has a text and its value, with a tabulator between.
func TestConsole(t *testing.T) {
	data, err := os.ReadFile("testdata/console.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) < 300 {
		t.Fatal(len(lines))
	}
	for _, line := range lines {
		text, want, _ := strings.Cut(line, "\t")
		if got := typed(t, text); got != want {
			t.Errorf("%s\n\t%s\nwant\t%s", text, got, want)
		}
	}
}
