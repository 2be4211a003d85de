package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"coredbg"
	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
)

// A sink keeps what is written.
type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

// TestRequestsFromAFile: requests whose input ends at once are all answered, whatever their ids are.
func TestRequestsFromAFile(t *testing.T) {
	folders, err := ask.NewFolders([]string{corpus}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Version: "test", Folders: folders, Timeout: time.Minute,
		Open: func(_ context.Context, path, _ string, _ []string) (*commands.Session, error) {
			time.Sleep(50 * time.Millisecond) // the input has ended by then
			return coredbg.Open(path, coredbg.Options{})
		}})
	if err != nil {
		t.Fatal(err)
	}
	const requests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"open","arguments":{"path":"` + corpus + `/segv.cdb"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"open","arguments":{"path":"/etc/passwd"}}}
`
	var to sink
	if err := s.Serve(t.Context(), io.NopCloser(strings.NewReader(requests)), &to); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for l := range strings.Lines(to.String()) {
		var m message
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, string(m.ID))
	}
	slices.Sort(ids)
	if got := strings.Join(ids, " "); got != `"two" 1 3` || !strings.Contains(to.String(), "null-dereference") {
		t.Errorf("answers to %s: %.3000s", got, to.String())
	}
}

// TestPending: the end waits for answers that are missing, and no longer than is allowed.
func TestPending(t *testing.T) {
	for _, c := range []struct {
		name, in, out string
		waits         bool
	}{
		{"answered", `{"id":1,"method":"a"}` + "\n", `{"id":1,"result":{}}` + "\n", false},
		{"not answered", `{"id":1,"method":"a"}` + "\n", `{"id":2,"result":{}}` + "\n", true},
		{"cancelled", `{"id":1,"method":"a"}` + "\n" + `{"method":"notifications/cancelled","params":{"requestId":1}}` +
			"\n", "", false},
		{"a notification", `{"method":"a"}` + "\n", "", false},
		{"the server's own request", `{"id":1,"method":"a"}` + "\n", `{"id":1,"method":"ping"}` + "\n", true},
		{"no message", "[[[\n\n\x00", "", false},
		{"half an answer", `{"id":1,"method":"a"}` + "\n", `{"id":1,"resu`, true},
	} {
		var to sink
		longest := time.Hour
		if c.waits {
			longest = 20 * time.Millisecond
		}
		p := newPending(io.NopCloser(strings.NewReader(c.in)), &to, longest)
		began := time.Now()
		buf := make([]byte, 4096)
		if _, err := p.Read(buf); err != nil {
			t.Fatal(err)
		}
		if _, err := (written{p}).Write([]byte(c.out)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Read(buf); err != io.EOF || time.Since(began) >= longest != c.waits {
			t.Errorf("%s: %v after %v", c.name, err, time.Since(began))
		}
	}
}
