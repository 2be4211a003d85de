package hotspot_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

var (
	printedVariable = regexp.MustCompile(` (\w+)=(.*?)( \w+=|$)`)
	shownFrame      = regexp.MustCompile(`^#\d+ Vars\.(\w+) `)
	shownVariable   = regexp.MustCompile(`^    (\w+) = (.*)$`)
)

// printedVariables reads what Vars.java has printed of its variables, as "method.name".
func printedVariables(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "var ")
		if !ok {
			continue
		}
		method, rest, _ := strings.Cut(rest, " ")
		for rest = " " + rest; ; {
			m := printedVariable.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			all[method+"."+rest[m[2]:m[3]]] = rest[m[4]:m[5]]
			rest = rest[m[5]:]
		}
	}
	return all
}

// asShown is how a value is shown: a part of its text.
func asShown(name, value string) string {
	switch name {
	case "this", "text", "key", "step":
		return strconv.Quote(value)
	case "letter":
		return "'" + value + "'"
	case "list":
		return "int[" + value + "] {"
	case "v":
		return ": " + value + " {"
	}
	return value
}

// TestLiveVariables compares the variables that ::locals shows with those that the program has printed.
// Compiled code needs some no more.
func TestLiveVariables(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var out bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &out})
			threads, err := hotSpot(t, s).JavaThreads()
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range threads {
				if x.Name == "main" {
					err = s.Run(t.Context(), fmt.Sprintf("0t%d::locals -A", x.TID))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			shown, method := map[string]string{}, ""
			for line := range strings.Lines(out.String()) {
				line = strings.TrimRight(line, "\n")
				if strings.HasPrefix(line, "#") {
					method = ""
				}
				if m := shownFrame.FindStringSubmatch(line); m != nil {
					method = m[1]
				}
				if m := shownVariable.FindStringSubmatch(line); m != nil && method != "" {
					shown[method+"."+m[1]] = m[2]
				}
			}
			known, want := 0, printedVariables(readText(t, filepath.Join(dir, "out.txt")))
			for name, value := range want {
				_, short, _ := strings.Cut(name, ".")
				got, ok := shown[name]
				switch {
				case !ok:
					t.Errorf("%s is not shown", name)
				case strings.HasPrefix(got, "<") && !strings.HasSuffix(dir, "-int"):
				case got != asShown(short, value) && (strings.ContainsAny(asShown(short, value), `"{`) &&
					strings.Contains(got, asShown(short, value))) == false:
					t.Errorf("%s is %s, want %s", name, got, asShown(short, value))
				default:
					known++
				}
			}
			if len(want) != 19 || known < 17 {
				t.Errorf("%d variables of %d are known, want 17 of 19", known, len(want))
			}
		})
	}
}
