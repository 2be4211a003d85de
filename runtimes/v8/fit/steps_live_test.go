package fit

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes/v8/v8test"
)

// TestStepsCommute checks that steps declare all their needs: with the stages listed backward they find the same
// layout. It also starts from a layout with wrong fields, which the steps must correct in both orders.
func TestStepsCommute(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			decoded := func(by stages) *Candidate {
				target := v8test.Open(t, path)
				u, err := recognize(context.Background(), target)
				if err != nil || u == nil {
					t.Fatalf("V8 is not recognized: %v, %v", u, err)
				}
				v := u.decodeBy(target, by)
				if v == nil {
					t.Fatal(u)
				}
				return v
			}
			want := decoded(correction)
			spoiled := correction
			spoiled.typed = []step{{"spoiled fields", nil, anyBuild, probes(spoil)}}
			for _, s := range correction.typed {
				s.needs = append(slices.Clone(s.needs), "spoiled fields")
				spoiled.typed = append(spoiled.typed, s)
			}
			for name, by := range map[string]stages{"backward": backward(correction), "spoiled": spoiled,
				"spoiled and backward": backward(spoiled)} {
				got := decoded(by)
				b := got.Layout.Facts()
				for i, a := range want.Layout.Facts() {
					if a.Value != b[i].Value {
						t.Errorf("%s.%s is %d, and %s %d", a.Class, a.Field, a.Value, name, b[i].Value)
					}
				}
				if !maps.Equal(want.Memory.Markers, got.Memory.Markers) {
					t.Errorf("frame types %v, and %s %v", want.Memory.Markers, name, got.Memory.Markers)
				}
				if want.SelfTest() != got.SelfTest() {
					t.Errorf("%v, and %s %v", want.SelfTest(), name, got.SelfTest())
				}
			}
		})
	}
}

// backward returns the stages with their steps listed in reverse.
func backward(by stages) stages {
	for _, stage := range []*[]step{&by.typeless, &by.typed, &by.chosen} {
		*stage = slices.Clone(*stage)
		slices.Reverse(*stage)
	}
	return by
}

// spoil moves fields that the steps can find again.
func spoil(v *Candidate) {
	l := v.Layout
	l.DescriptorArray.Header += v.Slots(2)
	l.BytecodeArray.ConstantPool, l.BytecodeArray.HandlerTable, l.BytecodeArray.Positions =
		l.BytecodeArray.HandlerTable, l.BytecodeArray.Positions, l.BytecodeArray.ConstantPool
	l.BytecodeArray.Data++
	l.SourcePositionTable.FlagBits ^= 3
}
