package console

import "testing"

// TestAssignment tells assignments from formats of MDB and comparisons.
func TestAssignment(t *testing.T) {
	for text, want := range map[string]bool{
		"x = 1": true, "x=1": true, "x=-1.5": true, `x="a"`: true, "x='a'": true, "x=`a`": true, "x=[1]": true,
		"x={a:1}": true, "x=true": true, "x=null": true, "x=new Map()": true, "a.b[0]=2": true, "$x=1": true,
		"x=X": false, "x=D": false, "x=K": false, "x==1": false, "x=>1": false, "x = X": false, "10=D": false,
	} {
		if got := assignment.MatchString(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
