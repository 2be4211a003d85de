package library

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestParseURL compares URLs, and the places of their parts, with those of Node 24.21's own parser: what
// internalBinding('url').parse returns, and its urlComponents.
func TestParseURL(t *testing.T) {
	data, err := os.ReadFile("testdata/urls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var x struct {
			URL  string    `json:"u"`
			Base string    `json:"base"`
			Href string    `json:"h"`
			At   [9]uint32 `json:"at"`
		}
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		u, ok := (*webURL)(nil), true
		if x.Base != "" {
			if u, ok = parseURL(x.Base, nil); !ok {
				t.Errorf("%q is not parsed", x.Base)
				continue
			}
		}
		u, ok = parseURL(x.URL, u)
		if !ok {
			if x.Href != "" {
				t.Errorf("%q with %q is no URL, want %s", x.URL, x.Base, x.Href)
			}
			continue
		}
		if href, at := u.href(); href != x.Href || at != x.At {
			t.Errorf("%q with %q is %s %v, want %s %v", x.URL, x.Base, href, at, x.Href, x.At)
		}
	}
}
