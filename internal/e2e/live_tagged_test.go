package e2e

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/crash"
)

// TestLiveTagged: the traps of HWASan say what was refused: the kind and the size of the access, which the
// name of the core has, and the pointer, whose tag is 0x2b (tagged.c).
func TestLiveTagged(t *testing.T) {
	mode := regexp.MustCompile(`(load|store)(\d+)$`)
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		m := mode.FindStringSubmatch(filepath.Base(dir))
		if m == nil {
			t.Fatalf("%s names no access", dir)
		}
		want := map[string]string{"load": "read", "store": "write"}[m[1]] + " of " + m[2] + " byte"
		if m[2] != "1" {
			want += "s"
		}
		s, err := coredbg.Open(filepath.Join(dir, "core"), liveOptions(t, dir, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		v := crash.Analyze(t.Context(), s.Subject())
		if want := "HWASan: " + want + " through a pointer with another tag in touch"; !strings.HasPrefix(v.Title,
			want) {
			t.Errorf("%s: %s, want %s", dir, v.Title, want)
		}
		if !slices.Contains(v.Evidence, "the pointer is 0x2b00000010000000, in x0") {
			t.Errorf("%s: %q", dir, v.Evidence)
		}
	}
}
