package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveGoCircles: the circles of goroutines, and the lines of the locks that they hold,
// equal the source (sources/native/circles.go). The goroutine that waits for one that sleeps is in no circle.
func TestLiveGoCircles(t *testing.T) {
	want := []string{
		"channel main.(*box).hand by main.(*box).take:58, sync.Mutex main.(*box).take by main.(*box).hand:50",
		"sync.Mutex main.enter by main.report:36, sync.Mutex main.report by main.keep:24",
	}
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			s := openValues(t, file)
			var got []string
			for _, d := range records[struct {
				Waits []struct {
					Kind, In string
					HeldIn   string `json:"held_in"`
				}
			}](t, s, "::deadlock") {
				var links []string
				for _, w := range d.Waits {
					in, _, _ := strings.Cut(w.In, " (")
					by, at, _ := strings.Cut(w.HeldIn, " (")
					links = append(links, fmt.Sprintf("%s %s by %s%s", w.Kind, in, by,
						strings.TrimSuffix(at[strings.LastIndexByte(at, ':'):], ")")))
				}
				slices.Sort(links)
				got = append(got, strings.Join(links, ", "))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("circles %q, want %q", got, want)
			}
			for _, v := range records[struct{ Cause, Confidence, Signature string }](t, s, "::analyze") {
				if v.Cause != "deadlock" || v.Confidence != "likely" ||
					v.Signature != "deadlock | main.(*box).hand | main.(*box).take" {
					t.Errorf("verdict %+v", v)
				}
			}
		})
	}
}

// TestLiveGoLocks: the circles of goroutines equal the source (sources/native/locks.go), by the functions
// that wait. Goroutines whose lock's holder is gone, or sleeps, are in no circle.
func TestLiveGoLocks(t *testing.T) {
	want := []string{
		"main.(*audit).note main.(*order).sum",
		"main.(*bank).transfer main.(*bank).transfer",
		"main.(*cache).fill",
		"main.(*ring).down main.(*ring).up",
		"main.(*users).join main.(*users).leave",
		"main.eat main.eat main.eat",
		"main.left main.right",
		"main.move",
		"main.onLeft main.onRight",
		"main.serve.func1 main.serve.func2",
	}
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			var got []string
			for _, d := range records[struct{ Waits []struct{ In string } }](t, openValues(t, file), "::deadlock") {
				var in []string
				for _, w := range d.Waits {
					name, _, _ := strings.Cut(w.In, " (")
					in = append(in, name)
				}
				slices.Sort(in)
				got = append(got, strings.Join(in, " "))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("circles %q, want %q", got, want)
			}
		})
	}
}
