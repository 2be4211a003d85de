package v8_test

import (
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
)

// TestDoubtValues: prototypes lead back to their classes in every embedder's core, and do
// not where properties are taken to be in other places than they are.
func TestDoubtValues(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, path)
			if err := v.DoubtValues(); err != nil {
				t.Error(err)
			}
			_, _, v = openLive(t, path)
			v.Layout.DescriptorArray.Value, v.Layout.DescriptorArray.Details = v.Layout.DescriptorArray.Details,
				v.Layout.DescriptorArray.Value
			if v.DoubtValues() == nil {
				t.Error("with another layout values are not in doubt")
			}
		})
	}
}
