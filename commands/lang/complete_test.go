package lang

import "testing"

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		line string
		want Completion
	}{
		{"::st", Completion{WantCommand, 2, "st", "", 0, "", 0}},
		{"main::d", Completion{WantCommand, 6, "d", "", 0, "", 0}},
		{"::walk t | ::st", Completion{WantCommand, 13, "st", "", 0, "", 0}},
		{"$", Completion{WantDollar, 1, "", "", 0, "", 0}},
		{"::stack -", Completion{WantOption, 9, "", "stack", 0, "", 0}},
		{"::stack -av", Completion{WantOption, 9, "av", "stack", 0, "", 0}},
		{"::walk th", Completion{WantWalker, 7, "th", "walk", 0, "", 0}},
		{"::walk thread x", Completion{WantNothing, 14, "x", "walk", 1, "thread", 0}},
		{"::help fo", Completion{WantTopic, 7, "fo", "help", 0, "", 0}},
		{"::dis ma", Completion{WantArgument, 6, "ma", "dis", 0, "", 0}},
		{"mai", Completion{WantSymbol, 0, "mai", "", 0, "", 0}},
		{"1+mai", Completion{WantSymbol, 2, "mai", "", 0, "", 0}},
		{"1+libc`mai", Completion{WantSymbol, 2, "libc`mai", "", 0, "", 0}},
		{"::x $[mai", Completion{WantSymbol, 6, "mai", "", 0, "", 0}},
		{"12", Completion{WantNothing, 0, "12", "", 0, "", 0}},
		{"<ri", Completion{WantVariable, 1, "ri", "", 0, "", 0}},
		{"1<<ri", Completion{WantSymbol, 3, "ri", "", 0, "", 0}},
		{"5;<ri", Completion{WantVariable, 3, "ri", "", 0, "", 0}},
		{"$<scr", Completion{WantFile, 2, "scr", "$<", 0, "", 0}},
		{"$<< scr", Completion{WantFile, 4, "scr", "$<<", 0, "", 0}},
		{"::nm ! grep x fi", Completion{WantFile, 14, "fi", "", 0, "", 0}},
		{"::cat fi", Completion{WantFile, 6, "fi", "cat", 0, "", 0}},
		{"main/X", Completion{WantNothing, 6, "", "", 0, "", 0}},
		{"main=X", Completion{WantNothing, 6, "", "", 0, "", 0}},
		{"::x 'a|b' -", Completion{WantOption, 11, "", "x", 1, "'a|b", 0}},
		{"::stack -n 5 -v ma", Completion{WantArgument, 16, "ma", "stack", 3, "-n 5 -v", 0}},
		{"::jsprint -d 1 T.wid", Completion{WantArgument, 15, "T.wid", "jsprint", 2, "-d 1", 0}},
		{"::findjsobjects -c Ga", Completion{WantArgument, 19, "Ga", "findjsobjects", 1, "-c", 0}},
		{"::findjsobjects -c 'Ga", Completion{WantArgument, 20, "Ga", "findjsobjects", 1, "-c", '\''}},
		{"\"node::Ab", Completion{WantSymbol, 1, "node::Ab", "", 0, "", '"'}},
		{"1 | \"ns::f", Completion{WantSymbol, 5, "ns::f", "", 0, "", '"'}},
	} {
		got := Complete(c.line, len(c.line))
		if c.want.Want == WantNothing {
			if got.Want != WantNothing {
				t.Errorf("%s: %+v, want nothing", c.line, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.line, got, c.want)
		}
	}
}
