package fit

import (
	"slices"
	"testing"
)

// TestStepsInOrder: each step of a stage comes after the steps that give what it needs, however the stage lists them.
func TestStepsInOrder(t *testing.T) {
	for name, stage := range map[string][]step{"typeless": correction.typeless, "typed": correction.typed,
		"chosen": correction.chosen} {
		if len(stage) == 0 {
			t.Errorf("%s has no steps", name)
		}
		backward := slices.Clone(stage)
		slices.Reverse(backward)
		for _, listed := range [][]step{stage, backward} {
			at := map[fact]int{}
			order := inOrder(listed)
			for i, s := range order {
				at[s.gives] = i
			}
			if len(order) != len(stage) || len(at) != len(stage) {
				t.Errorf("%s: %d of %d steps, which give %d facts", name, len(order), len(stage), len(at))
			}
			for _, s := range order {
				for _, need := range s.needs {
					if i, here := at[need]; here && i >= at[s.gives] {
						t.Errorf("%s: %q comes before %q, which it needs", name, s.gives, need)
					}
				}
			}
		}
	}
}

// TestStepsGiven: a step of the same stage, or of an earlier one, gives each fact that a step needs.
func TestStepsGiven(t *testing.T) {
	given := map[fact]bool{}
	for _, stage := range [][]step{correction.typeless, correction.typed, correction.chosen} {
		for _, s := range stage {
			given[s.gives] = true
		}
		for _, s := range stage {
			for _, need := range s.needs {
				if !given[need] {
					t.Errorf("%q needs %q, which no step gives", s.gives, need)
				}
			}
		}
	}
}

func TestStepsInCircle(t *testing.T) {
	stage := []step{{gives: "a", needs: []fact{"b"}}, {gives: "b", needs: []fact{"a"}},
		{gives: "c", needs: []fact{"elsewhere"}}}
	if order := inOrder(stage); len(order) != 1 || order[0].gives != "c" {
		t.Errorf("%v", order)
	}
}
