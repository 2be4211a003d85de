package pprof

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"coredbg/runtimes/heap/heaptest"
)

func TestWrite(t *testing.T) {
	ctx := context.Background()
	g := heaptest.Cache(t, "Cache")
	var b bytes.Buffer
	if err := Write(ctx, &b, g); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Sample {
		line := fmt.Sprint(s.Value)
		for _, l := range s.Location {
			line += " " + l.Line[0].Function.Name
		}
		got = append(got, line)
	}
	want := []string{"[2 40] Entry Cache", "[1 10] Cache", "[1 7] Text Entry Cache", "[1 5] Text"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
