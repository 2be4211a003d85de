package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveHandles: what leaks because native objects hold it is said to be held by these, with their class,
// how many they are and the module that made them, as the program wrote down; ::roots and ::gcroot say it of
// each.
func TestLiveHandles(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Owner, File string
				Count       int
			}
			readJSON(t, filepath.Join(dir, "truth.json"), &truth)
			from := ""
			if truth.File != "" && !strings.HasSuffix(dir, "-16.20.2") { // whose environments have no name of a file
				from = " (" + truth.File + ")"
			}
			type root struct {
				Kind, Owner, Class string
				Handles            int
			}
			s := openLive(t, filepath.Join(dir, "core"))
			want := fmt.Sprintf("%s × %d%s", truth.Owner, truth.Count, from)
			list := records[struct{ Root root }](t, s, "::leaks")
			if len(list) == 0 || list[0].Root.Handles != truth.Count || list[0].Root.Owner != want {
				t.Errorf("::leaks %+v, want %s", list, want)
			}
			if text := printed(t, s, "::leaks"); !strings.Contains(text, ", held by "+want+"\n") {
				t.Errorf("::leaks prints\n%s", text)
			}
			named := func(owner string) bool {
				return strings.HasPrefix(owner, truth.Owner+" at ") && strings.HasSuffix(owner, from)
			}
			count := 0
			for _, r := range records[root](t, openLive(t, filepath.Join(dir, "core")),
				`::roots -l -n 0 -k "global handle"`) {
				if named(r.Owner) && (r.Class == "Session" || r.Class == "HTTPParser") {
					count++
				}
			}
			if count != truth.Count {
				t.Errorf("::roots names %d of %d", count, truth.Count)
			}
			ways := records[struct{ Root root }](t, openLive(t, filepath.Join(dir, "core")),
				"::findjsobjects -c Session | ::gcroot -n 1")
			if len(ways) == 0 || !named(ways[0].Root.Owner) {
				t.Errorf("::gcroot %+v", ways)
			}
		})
	}
}
