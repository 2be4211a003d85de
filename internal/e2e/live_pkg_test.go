package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
)

// A bundled is the output of pnpmfile.cjs, from within pkg's bundle of pnpm.
type bundled struct {
	Entry, Manifest string
	JS              []struct {
		Name, File     string
		Line, Position int
	}
}

// arguments are what readPackage(manifest, context) was passed.
var arguments = regexp.MustCompile(`readPackage (?s:.){0,400}?\n +manifest: \w+: { name: \w+: 'neutral', version: .*\n +context: \w+: { log: .*\n`)

// TestLivePkg: functions in a bundle that pkg made have no source text. Their character positions equal
// V8's call sites, and the packer is named. Their names and files are compared by TestLive.
func TestLivePkg(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth bundled
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			checkPositions(t, said(t, s, "::jsstack"), &truth)
			packed := "by pkg, begun with " + truth.Entry
			for _, command := range []string{"::status", "::v8version -v", "::nodeinfo"} {
				if got := said(t, s, command); !strings.Contains(got, packed) {
					t.Errorf("%s does not say %q:\n%s", command, packed, got)
				}
			}
			v, err := v8.Among(s.Process, s.Runtimes())
			if err != nil {
				t.Fatal(err)
			}
			if test := v.SelfTest(); test.Sound != test.Functions || test.Coded == 0 {
				t.Errorf("self-test: %v", test)
			}
			if got := said(t, s, "::findjsobjects -c Part"); !strings.Contains(got, " 1000 ") {
				t.Errorf("not 1,000 of Part:\n%s", got)
			}
			if got := said(t, s, "::jsglobal manifest | ::jsprint -d 2"); strings.Join(strings.Fields(got),
				" ") != truth.Manifest {
				t.Errorf("the manifest that pnpm passed is %s, want %s", got, truth.Manifest)
			}
			if got := said(t, s, "::jsstack -v"); !arguments.MatchString(got) {
				t.Errorf("readPackage was not passed a manifest and a context:\n%s", got)
			}
			// Some processes without output were ended by V8's own check.
			printed, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "out.txt"))
			if _, check, ok := strings.Cut(string(printed), "# Check failed"); ok {
				check, _, _ = strings.Cut(check, "\n")
				if got := said(t, s, "::nodefatal"); strings.TrimSpace(got) != "Check failed"+check {
					t.Errorf("::nodefatal shows %q, printed was %q", got, check)
				}
			}
		})
	}
}

// TestLivePacked: which programs are in their executables, and which are not.
func TestLivePacked(t *testing.T) {
	for kind, want := range map[string]string{
		"node-*-sea":       "\npacked: as a single executable of Node ",
		"pkg-*-bundle":     "\npacked: by pkg, ",
		"pkg-*-deep":       "", // made by pkg, and run as plain Node
		"node-26*-startup": "",
	} {
		t.Run(kind, func(t *testing.T) {
			for _, path := range coretest.Live(t, kind+"/core") {
				got := said(t, openLive(t, path), "::status")
				if strings.Contains(got, "\npacked: ") != (want != "") || !strings.Contains(got, want) {
					t.Errorf("%s: no %q in\n%s", path, want, got)
				}
			}
		})
	}
}

// checkPositions compares the characters that frames without lines are at.
func checkPositions(t *testing.T, stack string, truth *bundled) {
	t.Helper()
	compared := 0
	for _, f := range truth.JS {
		if f.Position == 0 {
			continue
		}
		_, rest, ok := strings.Cut(stack, fmt.Sprintf("(%s) (at character %d of its script, whose source text is not in the process)", f.File, f.Position))
		if !ok {
			t.Errorf("%s at character %d is not there, or not in its place:\n%s", f.Name, f.Position, stack)
			continue
		}
		stack = rest
		compared++
	}
	if compared < 8 || strings.Contains(stack, "at character") {
		t.Errorf("%d frames have the characters that they should have; others:\n%s", compared, stack)
	}
}

// said returns what a command prints.
func said(t *testing.T, s *commands.Session, command string) string {
	t.Helper()
	var text bytes.Buffer
	s.Out = out.NewWriter(&text)
	if err := s.Run(context.Background(), command); err != nil {
		t.Errorf("%s: %v", command, err)
	}
	return text.String()
}
