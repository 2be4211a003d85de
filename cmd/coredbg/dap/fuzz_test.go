package dap

import (
	"bytes"
	"io"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"coredbg"
	"coredbg/commands"
)

// FuzzServe: whatever an editor sends, the server neither panics nor hangs.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		`{"seq":1,"type":"request","command":"initialize"}`,
		`{"seq":2,"type":"request","command":"launch","arguments":{"core":"x"}}`,
		`{"seq":3,"type":"request","command":"stackTrace","arguments":{"threadId":1,"startFrame":-1,"levels":-5}}`,
		`{"seq":4,"type":"request","command":"variables","arguments":{"variablesReference":-1,"start":9,"count":-1}}`,
		`{"seq":5,"type":"request","command":"disassemble","arguments":{"memoryReference":"0xffffffffffffffff","instructionOffset":-9,"instructionCount":4}}`,
		`{"seq":6,"type":"request","command":"source","arguments":{"source":{"sourceReference":-1}}}`,
		`{"seq":7,"type":"request","command":"evaluate","arguments":{"expression":"1=X","frameId":-3}}`,
		`{"seq":8,"type":"response"}`, `[]`, `{"seq":9,"type":"request","command":"cancel","arguments":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var in bytes.Buffer
		for _, m := range []string{`{"seq":1,"type":"request","command":"launch","arguments":{"core":"x"}}`, string(b),
			`{"seq":3,"type":"request","command":"threads"}`} {
			protocol.WriteBaseMessage(&in, []byte(m))
		}
		s := New(Options{Open: func(*Launch) (*commands.Session, error) {
			return coredbg.WithoutCore(coredbg.Options{}),
				nil
		}})
		if err := s.Serve(t.Context(), &in, io.Discard); err != nil && t.Context().Err() == nil {
			t.Log(err)
		}
	})
}

// FuzzValue: values of any shape have a summary within its bound, and members.
func FuzzValue(f *testing.F) {
	for _, seed := range []string{`{"$":"ref","addr":"0x10","class":"A"}`,
		`{"$class":"B","a":[1,{"$":"more","count":3}]}`, `{"error":"x"}`, `"\u202e"`, `[[[[[1]]]]]`, `1e999`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parse(b)
		if err != nil {
			return
		}
		if s := v.summary(); len(s) > maxSummary+len("…") || strings.ContainsAny(s, "\x1b\n\u202e") {
			t.Errorf("%q", s)
		}
		names, items := v.members()
		if len(names) != len(items) {
			t.Errorf("%d names of %d", len(names), len(items))
		}
	})
}
