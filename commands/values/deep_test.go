package values_test

import (
	"slices"
	"testing"

	"coredbg"
	"coredbg/commands/values"
	"coredbg/stack"
)

// TestDescribedInPieces holds the frames of a stack that is described in pieces to the same stack described as a whole.
func TestDescribedInPieces(t *testing.T) {
	for _, name := range []string{"values", "server", "rust", "node-24"} {
		s, err := coredbg.Open("../../testdata/cores/"+name+".cdb", coredbg.Options{Sysroot: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		o := stack.Options{Lines: true}
		whole := s.Stacks.Thread(t.Context(), s.Thread, o)
		s.Frames.Arguments(t.Context(), s.Thread, whole, o)
		lines := 0
		for _, piece := range []int{1, 2, values.Piece} {
			n := 0
			for f := range values.Described(t.Context(), s, s.Thread, o, piece) {
				got := *f
				got.Detail(&got)
				if want := whole.Frames[n]; got.PC != want.PC || got.Name != want.Name ||
					!slices.Equal(got.ExtraText, want.ExtraText) {
					t.Errorf("%s, pieces of %d, #%d: %s with %q, want %s with %q", name, piece, n, got.Name,
						got.ExtraText, want.Name, want.ExtraText)
				}
				lines += len(got.ExtraText)
				n++
			}
			if n != len(whole.Frames) {
				t.Errorf("%s, pieces of %d: %d frames, want %d", name, piece, n, len(whole.Frames))
			}
		}
		if lines == 0 {
			t.Errorf("%s: no frame has arguments", name)
		}
	}
}
