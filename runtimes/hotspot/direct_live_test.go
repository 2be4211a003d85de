package hotspot_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
)

// TestLiveDirect: the direct buffers of a heap own the memory that the JVM has counted (BufferPoolMXBean),
// and ::memory says how much.
func TestLiveDirect(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			m := regexp.MustCompile(`(?m)^direct (\d+) (\d+)$`).FindStringSubmatch(readText(t,
				filepath.Join(dir, "out.txt")))
			if m == nil {
				t.Fatal("the JVM has not counted")
			}
			var text bytes.Buffer
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: &text})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			g := graphIn(t, s)
			count, external := 0, uint64(0)
			g.Each(func(id graph.ID, _ core.Addr) bool {
				if n := g.External(id); n > 0 {
					count++
					external += n
				}
				return true
			})
			if fmt.Sprint(count) != m[1] || fmt.Sprint(external) != m[2] {
				t.Errorf("%d buffers own %d bytes, want %s and %s", count, external, m[1], m[2])
			}
			if err := s.Run(t.Context(), "::javaprint Direct.slice"); err != nil {
				t.Fatal(err)
			}
			part := regexp.MustCompile(`^DirectByteBuffer in native memory at 0x[0-9a-f]+, position 0, limit 80000, capacity 80000, part of 0x[0-9a-f]+\n$`)
			if !part.MatchString(text.String()) {
				t.Errorf("::javaprint of the eighth buffer's slice:\n%s", text.String())
			}
			text.Reset()
			if err := s.Run(t.Context(), "::find java.nio.DirectByteBuffer where capacity > 470000 and att == null"); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"capacity = 480000", "capacity = 490000", "capacity = 500000"} {
				if strings.Count(text.String(), want) != 1 || strings.Count(text.String(), "\n") != 4 {
					t.Errorf("::find of the last three buffers, %s:\n%s", want, text.String())
				}
			}
			text.Reset()
			if err := s.Run(t.Context(), "::memory"); err != nil {
				t.Fatal(err)
			}
			if want := m[1] + " direct buffers of hotspot: "; !strings.Contains(text.String(), want) {
				t.Errorf("::memory does not say %q:\n%s", want, text.String())
			}
		})
	}
}
