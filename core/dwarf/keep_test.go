package dwarf

import (
	"bytes"
	"maps"
	"strings"
	"testing"
)

// shelf is a Keeper in memory.
type shelf struct {
	files map[string][]byte
	put   int
}

func (s *shelf) Get(name string) []byte { return s.files[name] }

func (s *shelf) Put(name string, pieces ...[]byte) {
	s.files[name] = bytes.Join(pieces, nil)
	s.put++
}

var someID = []byte{0xab, 0xcd, 0xef}

// answers are what a program says of all its names.
func answers(t *testing.T, d *Data, f *Frame) map[string]string {
	t.Helper()
	out := map[string]string{}
	for path := range known {
		out[path] = d.read(f, path)
	}
	d.TypeNames(func(name string) bool {
		for _, x := range d.FindTypes(name) {
			out["type "+name] += " " + x.Name()
		}
		return true
	})
	d.VariableNames(func(name string) bool {
		for _, v := range d.FindVariables(name) {
			out["variable "+name] += " " + v.Type().Name()
			if a, ok := v.Value(f).Addr(); ok {
				at, off, ok := d.VariableAt(uint64(a) + 1)
				if ok {
					out["variable "+name] += " " + at.Name + string(rune('0'+off))
				}
			}
		}
		return true
	})
	if len(out) <= len(known) {
		t.Error("it has no names")
	}
	scopes, err := d.Scopes(d.code().First() + 1)
	for _, s := range scopes {
		out["scope"] += s.Name
	}
	if err != nil {
		t.Error(err)
	}
	return out
}

// TestKept: a kept index gives the same answers as its source, and is not made again. Except for
// addresses, data in several files is read anew.
func TestKept(t *testing.T) {
	for _, form := range forms {
		t.Run(form.program+" "+form.pkg, func(t *testing.T) {
			s := &shelf{files: map[string][]byte{}}
			var all []map[string]string
			for range 2 {
				d, f := openProgram(t, form.program, &folder{pkg: form.pkg})
				d.Keep(s, someID, 0)
				all = append(all, answers(t, d, f))
			}
			if !maps.Equal(all[0], all[1]) {
				t.Errorf("first %q\nthen %q", all[0], all[1])
			}
			one := !strings.HasPrefix(form.program, "split") && !strings.HasPrefix(form.program, "pack") &&
				!strings.HasPrefix(form.program, "share")
			names, code := s.files["abcdef.names"] != nil, s.files["abcdef.code"] != nil
			if names != one || !code {
				t.Errorf("names are kept: %v, addresses: %v", names, code)
			}
			if s.put != len(s.files) {
				t.Errorf("%d files were written %d times", len(s.files), s.put)
			}
		})
	}
}

// TestNotKept: no index is kept of a file that is small or lacks a build-id.
func TestNotKept(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	for _, c := range []struct {
		id  []byte
		min int
	}{{nil, 0}, {[]byte{1}, 0}, {make([]byte, 65), 0}, {someID, MinKept}} {
		d, f := openProgram(t, "plain5", nil)
		d.Keep(s, c.id, c.min)
		answers(t, d, f)
	}
	if len(s.files) > 0 {
		t.Errorf("kept %d files", len(s.files))
	}
}

// TestKeptOther: a kept index of another file, or a damaged one, is rejected and made anew.
func TestKeptOther(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	d, f := openProgram(t, "plain5", nil)
	d.Keep(s, someID, 0)
	want := answers(t, d, f)
	good := maps.Clone(s.files)
	other := &shelf{files: map[string][]byte{}}
	d, f = openProgram(t, "types5", nil)
	d.Keep(other, someID, 0)
	answers(t, d, f)
	elsewhere := &shelf{files: map[string][]byte{}}
	d, f = openProgram(t, "plain5", nil)
	d.Keep(elsewhere, []byte{1, 2, 3}, 0)
	answers(t, d, f)

	bad := map[string]func(name string, b []byte) []byte{
		"empty":           func(_ string, b []byte) []byte { return b[:0] },
		"head alone":      func(_ string, b []byte) []byte { return b[:30] },
		"cut":             func(_ string, b []byte) []byte { return b[:len(b)-1] },
		"longer":          func(_ string, b []byte) []byte { return append(b, 0) },
		"another version": func(_ string, b []byte) []byte { b[16]++; return b },
		"a byte":          func(_ string, b []byte) []byte { b[len(b)-1]++; return b },
		"another file":    func(name string, _ []byte) []byte { return other.files[name] },
		"another build-id": func(name string, _ []byte) []byte {
			return elsewhere.files["010203"+strings.TrimPrefix(name, "abcdef")]
		},
	}
	for how, damage := range bad {
		t.Run(how, func(t *testing.T) {
			s := &shelf{files: map[string][]byte{}}
			for name, b := range good {
				if s.files[name] = damage(name, bytes.Clone(b)); s.files[name] == nil {
					t.Fatal("nothing is damaged")
				}
			}
			d, f := openProgram(t, "plain5", nil)
			d.Keep(s, someID, 0)
			if got := answers(t, d, f); !maps.Equal(got, want) {
				t.Errorf("%q", got)
			}
			d, f = openProgram(t, "plain5", nil)
			d.Keep(s, someID, 0)
			if got := answers(t, d, f); !maps.Equal(got, want) || s.put != len(good) {
				t.Errorf("after that: %d files were written, %q", s.put, got)
			}
		})
	}
}

// TestKeptHostile: whatever a sealed file says, every query ends, and without a panic.
func TestKeptHostile(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	d, f := openProgram(t, "plain5", nil)
	d.Keep(s, someID, 0)
	answers(t, d, f)
	k := d.kept
	for _, what := range []string{keptNames, keptCode} {
		inside := bytes.Clone(k.get(what))
		for i := range inside {
			for _, bit := range []byte{0x01, 0x80, 0xff} {
				b := bytes.Clone(inside)
				b[i] ^= bit
				k.put(what, b)
				d, _ := openProgram(t, "plain5", nil)
				d.Keep(s, someID, 0)
				ask(d)
			}
		}
		k.put(what, inside)
	}
}
