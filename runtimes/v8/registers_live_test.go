package v8_test

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/walk"
)

// inRegisters are the variables of testdata/cores/sources/v8/registers.js that are in scope and
// have their value where it dies.
const inRegisters = `Thing.made again.k again.seen again.sum arrow.own arrow.pattern arrow.text blocks.deepest blocks.inner
	blocks.outer captured.alone captured.shared caught.before caught.handled ends.b loops.i loops.item loops.key loops.last
	loops.n loops.of method.self method.two named.mine numbers.begun patterns.a patterns.first patterns.renamed
	patterns.second patterns.x patterns.y plain.a plain.b plain.c plain.d plain.e plain.late same.x switched.chosen value.got y.x`

var ownName = regexp.MustCompile(`^([A-Za-z]+)\.(\w+)$`)

// TestRegisterNames: each variable of registers.js holds "FUNCTION.VARIABLE". A local may not have another
// variable's name, and each variable in scope must have its own. A value left over from a block that has ended
// has no name.
func TestRegisterNames(t *testing.T) {
	want := strings.Fields(inRegisters)
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			target := walk.NewTarget(p, walk.Options{})
			found := map[string]bool{}
			for f, err := range target.Walk(context.Background(), p.Threads[0], v.Frames.Begin(p.Threads[0])) {
				if err != nil {
					break
				}
				for name, text := range ownLocals(v, &f) {
					if name != text[strings.IndexByte(text, '.')+1:] {
						t.Errorf("%s holds %q", name, text)
					}
					found[text] = true
				}
			}
			for _, x := range want {
				if !found[x] {
					t.Errorf("%s has no name", x)
				}
			}
			for x := range found {
				if !slices.Contains(want, x) {
					t.Errorf("%s has a name", x)
				}
			}
		})
	}
}

// ownLocals returns the locals of a frame that are not called after a register and hold a
// name of the program.
func ownLocals(v *v8.V8, f *walk.Frame) map[string]string {
	out := map[string]string{}
	for _, values := range v.Frames.Values(f) {
		if values == nil {
			continue
		}
		for _, l := range values.Locals {
			if !l.Known() || l.Slot.Raw || !v.Objects.IsString(l.Slot.Word) || register.MatchString(l.Name) {
				continue
			}
			if s := v.Objects.Text(l.Slot.Word); ownName.MatchString(s) {
				out[l.Name] = s
			}
		}
	}
	return out
}

var register = regexp.MustCompile(`^r[0-9]+$`)
