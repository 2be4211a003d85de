package main

import (
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"coredbg/cmd/coredbg/cmdline"
)

// TestChildFlags: the process that reads a core takes every flag that says how, as it was given to
// the one that starts it, and nothing is left out when a flag is added.
func TestChildFlags(t *testing.T) {
	set := childFlags(&triageFlags{})
	set.VisitAll(func(x *flag.Flag) {
		for _, value := range []string{"true", "7", "64M", "90s", "sentry", "some dir/-x"} {
			if err := childFlags(&triageFlags{}).Set(x.Name, value); err != nil {
				continue
			}
			args := []string{"-" + x.Name + "=" + value, "-j", "3", "-steady", "core"}
			f, _, err := parseTriage(args, io.Discard, io.Discard)
			if err != nil {
				continue
			}
			child := f.childArgs()
			got, operands, err := parseTriage(append(child[1:], "core"), io.Discard, io.Discard)
			if err != nil || len(operands) != 1 || !got.one {
				t.Fatalf("-%s: %q: %v", x.Name, child, err)
			}
			f.given, got.given, f.one, f.jobs, f.steady = nil, nil, true, got.jobs, false
			if !reflect.DeepEqual(f, got) {
				t.Errorf("-%s=%s: the child has %+v, not %+v", x.Name, value, got, f)
			}
			return
		}
		t.Errorf("-%s: no value of this test is one", x.Name)
	})
}

// TestGiven: what is given is handed on in order, if the other command has it.
func TestGiven(t *testing.T) {
	set, other := flag.NewFlagSet("a", flag.ContinueOnError), flag.NewFlagSet("b", flag.ContinueOnError)
	for _, s := range []*flag.FlagSet{set, other} {
		s.Bool("small", false, "")
		s.String("dir", "", "")
		s.Func("many", "", func(string) error { return nil })
	}
	set.Int("own", 0, "")
	g := cmdline.Note(set)
	if err := set.Parse(strings.Fields("-many a -small -own 3 -dir=x -many -b")); err != nil {
		t.Fatal(err)
	}
	g.Set("dir", "y")
	if got := strings.Join(g.For(other), " "); got != "-many=a -small=true -many=-b -dir=y" {
		t.Error(got)
	}
}
