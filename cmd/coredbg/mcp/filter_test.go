package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"coredbg/cmd/coredbg/ask"
)

// TestFilter: lines that are no messages are answered with a code, and do not reach the SDK.
func TestFilter(t *testing.T) {
	for _, c := range []struct {
		line string
		code int // 0 if it passes
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0},
		{`{"jsonrpc":"2.0","id":"x","method":"ping","params":{"a":[1]}}`, 0},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0},
		{`{"jsonrpc":"2.0","id":3,"result":{}}`, 0},
		{`{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}`, 0},
		{"\t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", 0},
		{`{"jsonrpc":"1.0","jsonrpc":"2.0","id":7,"id":8,"method":"a","method":"ping"}`, 0},
		{`{`, codeParse}, {`nonsense`, codeParse}, {"\xff\xfe{}", codeParse},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, codeParse},
		{`[]`, codeInvalid}, {`null`, codeInvalid}, {`"x"`, codeInvalid},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, codeInvalid},
		{`{}`, codeInvalid}, {`{"jsonrpc":"2.0"}`, codeInvalid},
		{`{"jsonrpc":"1.0","id":5,"method":"ping"}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":7}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1}`, codeInvalid},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxLine) + `"}`, codeInvalid},
	} {
		var to bytes.Buffer
		b, err := io.ReadAll(newFilter(io.NopCloser(strings.NewReader(c.line+"\n\n")), &to))
		if err != nil {
			t.Fatal(err)
		}
		var refused struct{ Error struct{ Code int } }
		if to.Len() > 0 && json.Unmarshal(to.Bytes(), &refused) != nil || refused.Error.Code != c.code ||
			(len(b) > 0) != (c.code == 0) {
			t.Errorf("%.80q: passes %.80q, answered %s", c.line, b, to.String())
		}
	}
}

// TestLastLine: a message before the end of the input needs no line break, and a long line before it is skipped.
func TestLastLine(t *testing.T) {
	var to bytes.Buffer
	const last = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	b, err := io.ReadAll(newFilter(io.NopCloser(strings.NewReader(strings.Repeat("x", 3*maxLine)+"\n"+last)), &to))
	if err != nil || string(b) != last+"\n" || !strings.Contains(to.String(), "more than") {
		t.Errorf("%q, %v, answered %s", b, err, to.String())
	}
}

// FuzzFilter: what passes is a line that the SDK reads, whatever comes.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"method":"a","params":[]}`, `[]`, `{"JSONRPC":"2.0","Id":1,"method":"\u0000"}`,
		`{"jsonrpc":"2.0","id":3,"error":7}`, "{\n}", `{"jsonrpc":"2.0","id":"\ud800","result":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := io.ReadAll(newFilter(io.NopCloser(bytes.NewReader(b)), io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(got) {
			if _, err := jsonrpc.DecodeMessage(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
				t.Errorf("%q passes as %q: %v", b, line, err)
			}
		}
	})
}

// TestHostileClient: a client sends requests before it has begun, nonsense between them, an id twice, answers
// that are not asked for, and cancels calls that there are not. Each request has one answer, and the server
// goes on to the end.
func TestHostileClient(t *testing.T) {
	folders, err := ask.NewFolders([]string{corpus}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Version: "test", Folders: folders, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cores"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{`, `[]`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/nosuch","params":{}}`,
		`{"jsonrpc":"2.0","id":12345,"result":{}}`, `{"jsonrpc":"2.0","id":12346,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":12347,"error":"x"}`,
		`{"jsonrpc":"2.0","id":5,"method":"nosuch"}`, `{"jsonrpc":"2.0","id":6,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nosuch"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"stacks","arguments":{"thread":1e300}}}`,
		`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"open","arguments":{"path":"a` +
			"\\u0000" + `b"}}}`,
		`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"verdict","arguments":[]}}`,
		`{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"cores"}}`,
	}
	var to sink
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if err := s.Serve(t.Context(), io.NopCloser(in), &to); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for l := range strings.Lines(to.String()) {
		var m message
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatal(err)
		}
		answers[string(m.ID)] += l
	}
	for id := 1; id <= 13; id++ {
		if a := answers[fmt.Sprint(id)]; strings.Count(a, "\n") != 1 {
			t.Errorf("request %d has the answers %q", id, a)
		}
	}
	if strings.Count(answers["null"], "\n") != 3 || !strings.Contains(answers["13"], "no core is open") {
		t.Errorf("nonsense is answered by %q, the last request by %q", answers["null"], answers["13"])
	}
}
