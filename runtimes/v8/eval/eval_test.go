package eval

import (
	"math"
	"strings"
	"testing"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/library"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
	"coredbg/runtimes/v8/v8test"
)

type noHost struct{}

func (noHost) Inspect(*ecma.Machine, ecma.Value, ecma.Value) string { return "" }

func (noHost) Answers(layout.Tagged) (names, values []string, err error, ok bool) {
	return nil, nil, nil, false
}

func (noHost) Native(*ecma.Machine, layout.Tagged, ecma.Value, []ecma.Value) (ecma.Value, bool) {
	return nil, false
}

// evaluate runs the body of a function over a heap without a realm. builtin(name, this, ...args)
// calls a function of V8's own.
func evaluate(t *testing.T, body string, steps int) (result ecma.Value, err error) {
	t.Helper()
	n, err := syntax.ParseFunction("() => {" + body + "}")
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	e := New(object.New(v8test.NewMadeHeap(0x1000).Memory(), nil))
	return e.Call(noHost{}, &steps, func(m *ecma.Machine) ecma.Value {
		env := &ecma.Scope{Heap: &ecma.Outer{}}
		env.Declare("builtin", m.Native("builtin", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			code := m.Library.Functions[m.Text(ecma.Arg(args, 0))]
			if code == nil {
				m.Fail("%v is not known", ecma.Arg(args, 0))
			}
			return code(m, ecma.Arg(args, 1), args[min(2, len(args)):])
		}))
		env.Declare("date", m.Native("date", func(m *ecma.Machine, _ ecma.Value,
			args []ecma.Value) ecma.Value {
			return library.NewDate(m, args)
		}))
		env.Declare("Map", m.Native("Map", func(m *ecma.Machine, _ ecma.Value,
			args []ecma.Value) ecma.Value {
			return library.NewMap(m, args)
		}))
		env.Declare("made", m.Native("made", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return m.Library.Constructors["Promise"](m, args)
		}))
		return m.Call(&ecma.Object{Function: &ecma.Function{Node: n, Env: env}}, nil, nil)
	})
}

// TestLanguage runs pieces of programs. The wanted results come from Node 24, with builtin = (name, self,
// ...args) => eval(name).apply(self, args).
func TestLanguage(t *testing.T) {
	for body, want := range map[string]ecma.Value{
		"return (-2) ** 2":                                   4.0,
		"return 1 / -0":                                      math.Inf(-1),
		"return -1 >>> 28":                                   15.0,
		"return 5 & 6 | 8 ^ 3":                               15.0,
		"return '2' * '3' + '1'":                             "61",
		"return null ?? undefined ?? 0 ?? 1":                 0.0,
		"return 0 || '' && 1":                                "",
		"let a; a ??= 3; a ||= 4; a &&= 5; a += 1; return a": 6.0,
		"var s = 0; for (var i = 0; i < 5; i++) { if (i == 3) continue; s += i } return s":                                 7.0,
		"const f = []; for (let i = 0; i < 3; i++) builtin('Array.prototype.push', f, () => i); return f[0]() + f[2]()":    2.0,
		"o: for (const a of [1, 2]) for (const b of [1, 2]) { if (b == 2) continue o; if (a == 2) break o; } return 'out'": "out",
		"const { a, b: [c, ...d], ...e } = { a: 1, b: [2, 3, 4], f: 5, g: 6 }; return a + c + d[1] + e.g":                  13.0,
		"const f = (a, b = a + 1, ...c) => a + b + c[1]; return f(1, undefined, 5, 6)":                                     9.0,
		"try { null.x } catch (e) { return 'caught' } finally { 1 }":                                                       "caught",
		"try { throw { a: 1 } } catch ({ a }) { return a }":                                                                1.0,
		"const f = () => { try { return 1 } finally { return 2 } }; return f()":                                            2.0,
		"switch (3) { case 1: return 'a'; default: return 'b'; case 2: return 'c' }":                                       "b",
		"let s = ''; switch (1) { case 1: s += 'a'; case 2: s += 'b'; break; case 3: s += 'c' } return s":                  "ab",
		"return { get x() { return this.y + 1 }, y: 4 }.x":                                                                 5.0,
		"const o = { y: 2, f() { return [1].length + (() => this.y)() } }; return o.f()":                                   3.0,
		"return { __proto__: { z: 9 } }.z":                                                                                 9.0,
		"return { a: { b: null } }?.a?.b?.c.d":                                                                             nil,
		"let s = ''; for (const k in { b: 1, a: 2, 1: 3 }) s += k; return s":                                               "1ba",
		"const o = { a: 1 }; delete o.a; return 'a' in o":                                                                  false,
		"return typeof nothing + typeof null + typeof (() => 1) + typeof 'x'":                                              "undefinedobjectfunctionstring",
		"return f(3); function f(n) { return n < 2 ? 1 : n * f(n - 1) }":                                                   6.0,
		"let i = 0; do i++; while (i < 4); while (true) { if (++i > 6) break } return i":                                   7.0,
		"return 'a\\u{1f600}b'.length + 'a\\u{1f600}b'[3]":                                                                 "4b",
		"return builtin('Array.prototype.join', [1, null, 'a'], '-')":                                                      "1--a",
		"return builtin('Array.prototype.map', [1, 2], (x, i) => x * 10 + i)[1]":                                           21.0,
		"return builtin('Array.prototype.reduce', [1, 2, 3], (a, b) => a + b)":                                             6.0,
		"return builtin('Array.prototype.slice', [1, 2, 3, 4], -3, -1).length":                                             2.0,
		"return builtin('String.prototype.slice', 'h\\u00e9llo', 1, -1)":                                                   "éll",
		"return builtin('String.prototype.padStart', '7', 3, 'ab')":                                                        "ab7",
		"return builtin('String.prototype.indexOf', 'abcabc', 'c', 3)":                                                     5.0,
		"return builtin('Number.prototype.toString', 255, 16)":                                                             "ff",
		"return builtin('Number.prototype.toFixed', 1.005, 2)":                                                             "1.00",
		"return builtin('parseInt', null, '0x1fz')":                                                                        31.0,
		"return builtin('Object.keys', null, { b: 1, a: 2, 0: 3 })[2]":                                                     "a",
		"const m = Map([['a', 1], ['b', 2]]); return builtin('Map.prototype.get', m, 'b') + [...m].length":                 4.0,
		"return builtin('Object.assign', null, { a: 1 }, null, { b: 2 }).b":                                                2.0,
		"return builtin('Math.max', null, 3, 9, 2) + builtin('Math.round', null, -0.5)":                                    9.0,
		"return builtin('Date.prototype.getTime', date('2026-01-31T12:00:00Z'))":                                           1769860800000.0,
		"return builtin('Date.prototype.toISOString', date(86400000.7))":                                                   "1970-01-02T00:00:00.000Z",
		"return builtin('Date.prototype.getTime', date(date(5)))":                                                          5.0,
		"return builtin('Object.prototype.toString', date(0))":                                                             "[object Date]",
	} {
		got, err := evaluate(t, body, ecma.MaxSteps)
		if err != nil || got != want {
			t.Errorf("%s = %v, %v, want %v", body, got, err, want)
		}
	}
}

// TestBounds: what runs too long, makes too much or nests too deep ends.
func TestBounds(t *testing.T) {
	for body, want := range map[string]string{
		"while (true) ;":                                                   "too long",
		"for (;;) { try { null.x } catch { } }":                            "too long",
		"const f = () => f(); f()":                                         "too deep",
		"let s = 'x'; for (;;) s += s":                                     "too long",
		"const a = []; for (;;) builtin('Array.prototype.push', a, a)":     "too long",
		"const a = [0]; for (;;) builtin('Array.prototype.push', a, ...a)": "too long",
		"return builtin('String.prototype.repeat', 'ab', 1e9)":             "too long",
		"return builtin('String.prototype.padEnd', 'a', 1e9)":              "too long",
		"const a = []; a[1e8] = 1":                                         "too long",
		"const a = []; a.length = 1e8":                                     "too long",
		"null.x":                                                           "Uncaught TypeError: Cannot read properties of null (reading 'x')",
		"nothing()":                                                        "Uncaught ReferenceError: nothing is not defined",
		"const f = function*() { for (;;) yield 1 }; [...f()]":             "too long",
		"const f = async () => { for (;;) await 1 }; await f()":            "too long",
		"return builtin('Date.now')":                                       "not known",
		"throw new Error('x')":                                             "Uncaught Error: x",
		"/(a*)*b/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')":              "too long",
		"9n ** 99999n":                                                     "Maximum BigInt size exceeded",
		"date()":                                                           "no clock",
		"date(2026, 1)":                                                    "time zone",
		"date('2 tomorrow')":                                               "ISO 8601",
	} {
		if got, err := evaluate(t, body, ecma.MaxSteps); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s ends with %v, %v, want %s", body, got, err, want)
		}
	}
	if _, err := evaluate(t, "for (let i = 0; i < 1000; i++) ;", 100); err == nil {
		t.Error("a hundred steps are enough for a thousand turns")
	}
}

// FuzzEvaluate looks for programs that end in a panic or never.
func FuzzEvaluate(f *testing.F) {
	f.Add("let a = [1, ...'bc']; for (const x of a) a[x] = `${x}`; return a.length")
	f.Add("const f = (n) => n ? f(n - 1) : { get x() { return this } }; return f(9).x?.y")
	f.Add("try { throw builtin('Object.keys', 1, { a: 1 }) } catch ([k]) { return k }")
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := syntax.ParseFunction("() => {" + body + "}"); err == nil {
			_, _ = evaluate(t, body, 1<<12)
		}
	})
}

// TestQuestions: what functions of the heap compute comes before what the embedder answers. Its path leaves out the
// global object, the values that are given and how a module is named.
func TestQuestions(t *testing.T) {
	var notes []string
	place := Place{
		Look: func(string) (object.Slot, error) { return object.Slot{}, object.ErrNoGlobal },
		Note: func(text string) { notes = append(notes, text) },
		Question: func(path string) Question {
			switch path {
			case "v8.stats()":
				return func(*ecma.Machine, []ecma.Value) Answer {
					return Answer{Value: Record(Field{"used", 7.0}, Field{"list", List(1.0, "a")}), Note: path}
				}
			case "add()":
				return func(m *ecma.Machine, args []ecma.Value) Answer {
					return Answer{Value: m.Number(args[0]) + m.Number(args[1])}
				}
			case "os.name()":
				return func(*ecma.Machine, []ecma.Value) Answer {
					return Answer{Err: &AbsentError{path, "the kernel has it"}}
				}
			case "import.meta":
				return func(*ecma.Machine, []ecma.Value) Answer {
					return Answer{Value: Record(Field{"url", "file:///a.mjs"})}
				}
			}
			return nil
		},
	}
	for text, want := range map[string]any{
		"v8.stats().used + 1":                          8.0,
		"globalThis.v8.stats().list[1]":                "a",
		"require('node:v8').stats().list.length":       2.0,
		"(x => add(x, 2))(3)":                          5.0,
		"((add) => add(1, 2))((a, b) => a * b)":        2.0,
		"import.meta.url":                              "file:///a.mjs",
		"os.name()":                                    "not in the core: os.name(): the kernel has it",
		"v8.other()":                                   "v8 is not defined",
		"({ v8: { stats: () => 3 } }).v8.stats()":      3.0,
		"((v8) => v8.stats())({ stats: () => 'own' })": "own",
	} {
		n, err := syntax.ParseExpression(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		e, steps := New(object.New(v8test.NewMadeHeap(0x1000).Memory(), nil)), ecma.MaxSteps
		got, err := e.Call(noHost{}, &steps, func(m *ecma.Machine) ecma.Value { return Evaluate(m, place, n) })
		if failed, _ := want.(string); err != nil && failed != "" && strings.HasSuffix(err.Error(), failed) {
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s = %v, %v, want %v", text, got, err, want)
		}
	}
	if len(notes) != 3 || notes[0] != "v8.stats()" {
		t.Errorf("notes %q", notes)
	}
}
