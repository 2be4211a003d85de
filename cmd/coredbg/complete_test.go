package main

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg"
)

// TestComplete checks the tab key's offers on real cores: main.js of testdata/cores/sources for the names of
// JavaScript, node's own symbols for C++ names.
func TestComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a core of Node")
	}
	open := map[string]*coredbg.Session{}
	for _, c := range []struct {
		core, line string
		head       string
		want       []string // that must be among the words
		not        string
	}{
		{"node-24.cdb", "node::Abo", "", []string{`"node::Abort"`}, ""},
		{"node-24.cdb", `"node::Abo`, `"`, []string{`node::Abort"`}, ""},
		{"node-24.cdb", `1 + "node::Abo`, `1 + "`, []string{`node::Abort"`}, ""},
		{"node-24.cdb", "::dis node::Abo", "::dis ", []string{`"node::Abort"`}, ""},
		{"node-24.cdb", "::dis no", "::dis ", []string{`"node::`}, ""},
		{"node-24.cdb", "node`node::Abo", "", []string{"\"node`node::Abort\""}, ""},
		{"node-24.cdb", "::jsprint T.w", "::jsprint ", []string{"T.widget"}, "T.map"},
		{"node-24.cdb", "::jsprint -d 1 T.widget.", "::jsprint -d 1 ",
			[]string{"T.widget.id", "T.widget.name", "T.widget.next"}, ""},
		{"node-24.cdb", "::jsprint proc", "::jsprint ", []string{"process"}, ""},
		{"node-24.cdb", "::findjsobjects -c Gad", "::findjsobjects -c ", []string{"Gadget"}, "Widget"},
		{"node-24.cdb", "::findjsobjects -p wid", "::findjsobjects -p ", []string{"widgets"}, ""},
		{"node-24.cdb", "::findjsobjects -", "::findjsobjects -", []string{"c", "p", "l"}, ""},
		{"art-11.cdb", "::javaclass java.lang.Th", "::javaclass ", []string{"java.lang.Thread"}, ""},
		{"art-11.cdb", "::jniref --", "::jniref -", []string{"-local", "-global", "-weak"}, ""},
		{"values-c.cdb", "::print glob", "::print ", []string{"global_table", "global_number"}, "titles"},
		{"values-c.cdb", "::print global_table.", "::print ", []string{"global_table.size", "global_table.list"},
			"global_table"},
		{"values-c.cdb", "::print global_table.list->", "::print ", []string{"global_table.list->x"}, ""},
		{"values-c.cdb", "::print co", "::print ", []string{"code"}, ""}, // of the current frame
		{"server.cdb", "::print order.customer.na", "::print ", []string{"order.customer.name"},
			"order.customer.address"},
		{"server.cdb", "::print shop.orders[1007].customer->", "::print ",
			[]string{"shop.orders[1007].customer->address"}, ""},
		{"node-24.cdb", "::print ta", "::print ", []string{"tag"}, ""},
		{"values-c.cdb", "::sizeof po", "::sizeof ", []string{"point"}, "pk"},
		{"segv.cdb", "::set -o ", "::set -o ", []string{"repeatlast"}, ""},
		{"segv.cdb", "::set +o re", "::set +o ", []string{"repeatlast"}, ""},
		{"segv.cdb", "::nm -t fu", "::nm -t ", []string{"func"}, "objt"},
		{"segv.cdb", "::mapp", "::", []string{"mappings"}, ""},
		{"segv.cdb", "::help ::mapp", "::help ", []string{"::mappings"}, ""},
		{"segv.cdb", "<ri", "<", []string{"rip"}, ""},
		{"segv.cdb", "mai", "", []string{"main"}, ""},
		// Lines of source, and the words of other debuggers. Truth: eu-readelf --debug-dump=decodedline has
		// code of line 42.
		{"segv.cdb", "::source cra", "::source ", []string{"crash.c:"}, ""},
		{"segv.cdb", "::lookup crash.c:4", "::lookup ", []string{"crash.c:42", "crash.c:44"}, "crash.c:41"},
		{"segv.cdb", "list crash.c:4", "list ", []string{"crash.c:42"}, "crash.c:41"},
		{"segv.cdb", "info line crash.c:", "info line ", []string{"crash.c:42"}, "crash.c:1"},
		{"segv.cdb", "b poi", "b ", nil, ""},
		{"server.cdb", "p order.cus", "p ", []string{"order.customer"}, "order.number"},
		{"server.cdb", "p/x order.nu", "p/x ", []string{"order.number"}, ""},
		{"node-24.cdb", "p T.w", "p ", []string{"T.widget"}, "T.map"},
		{"node-24.cdb", "po proc", "po ", []string{"process"}, ""},
	} {
		s := open[c.core]
		if s == nil {
			var err error
			if s, err = coredbg.Open(filepath.Join("../../testdata/cores", c.core), coredbg.Options{}); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			open[c.core] = s
		}
		head, words, _ := s.Complete(c.line, len(c.line))
		for _, w := range c.want {
			if !slices.Contains(words, w) {
				t.Errorf("%s: %q is not among %d words: %.300q", c.line, w, len(words), words)
			}
		}
		if head != c.head || c.not != "" && slices.Contains(words, c.not) {
			t.Errorf("%s: after %q: %.300q", c.line, head, words)
		}
	}
}
