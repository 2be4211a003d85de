package main

import (
	"bytes"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
)

// TestOffline asks no server unless the environment names one, and none with -offline.
func TestOffline(t *testing.T) {
	t.Setenv("DEBUGINFOD_URLS", "")
	if f, err := parseFlags([]string{"core"}, nil, nil); err != nil || f.servers() != nil {
		t.Error("servers without DEBUGINFOD_URLS", err)
	}
	t.Setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1/")
	if f, err := parseFlags([]string{"core"}, nil, nil); err != nil || f.servers() == nil {
		t.Error("no servers with DEBUGINFOD_URLS", err)
	}
	if f, err := parseFlags([]string{"-offline", "core"}, nil, nil); err != nil || f.servers() != nil {
		t.Error("servers with -offline", err)
	}
	var said bytes.Buffer
	w := out.NewTerminal(&said)
	if code := run([]string{"fetch", "-offline", "core"}, coredbg.Open, nil, w, w); code != exitUsage ||
		!strings.Contains(said.String(), "-offline asks no server") {
		t.Errorf("fetch -offline: %d, %s", code, said.String())
	}
}
