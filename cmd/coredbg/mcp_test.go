package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A peer is a coredbg mcp process that reads lines of JSON.
type peer struct {
	t      *testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	cmd    *exec.Cmd
	last   int
}

func startMCP(t *testing.T, args ...string) *peer {
	t.Helper()
	p := &peer{t: t, cmd: exec.Command("coredbg", append([]string{"mcp"}, args...)...)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.out, p.cmd.Stderr = bufio.NewReaderSize(out, 1<<20), &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.in.Close()
		p.cmd.Wait()
	})
	p.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peer) write(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// request sends a request and returns its answer as JSON.
func (p *peer) request(method, params string) string {
	p.t.Helper()
	p.last++
	id, _ := json.Marshal(p.last)
	p.write(`{"jsonrpc":"2.0","id":` + string(id) + `,"method":"` + method + `","params":` + params + `}`)
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			p.t.Fatalf("%s: %v; %s", method, err, p.stderr.String())
		}
		var v struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			p.t.Fatalf("%q: %v", line, err)
		}
		if string(v.ID) == string(id) {
			return line
		}
	}
}

func (p *peer) call(tool, args string) string {
	p.t.Helper()
	return p.request("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)
}

// end closes the server's input and returns how it ended.
func (p *peer) end() error {
	p.in.Close()
	io.Copy(io.Discard, p.out)
	return p.cmd.Wait()
}

// TestMCP: a process answers over its standard input and output, and ends with them.
func TestMCP(t *testing.T) {
	cores, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	p := startMCP(t, "-dir", cores, filepath.Join(cores, "segv.cdb"))
	for _, x := range []struct{ tool, args, want string }{
		{"verdict", `{}`, `null-dereference`},
		{"stacks", `{"core":"c1"}`, `mode_segv`},
		{"open", `{"path":"null.cdb"}`, `null-call`},
		{"open", `{"path":"/etc/passwd"}`, `outside the folders`},
		{"command", `{"core":"c2","line":"::status ! cat"}`, `refused`},
		{"compare", `{"core":"c1","older":"c2"}`, `"same":"no"`},
		{"close", `{"core":"c2"}`, `is closed`},
	} {
		if got := p.call(x.tool, x.args); !strings.Contains(got, x.want) {
			t.Errorf("%s %s: %s", x.tool, x.args, got)
		}
	}
	if err := p.end(); err != nil || p.stderr.Len() > 0 {
		t.Errorf("%v, %s", err, p.stderr.String())
	}
}

// TestMCPTriage: the tool reads cores as coredbg triage does.
func TestMCPTriage(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"segv.cdb", "null.cdb"} {
		b, err := os.ReadFile("../../testdata/cores/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := startMCP(t, "-dir", dir)
	got := p.call("triage", `{"folder":"."}`)
	for _, want := range []string{`"type":"bug"`, "null-call", `"status":"read"`, "null-dereference"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestMCPCut: a core that is cut while it is open is an error of the next tools, and the server goes on.
func TestMCPCut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "core")
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1},
		Type: uint16(elf.ET_CORE), Machine: uint16(elf.EM_X86_64), Version: 1,
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1})
	binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: 6, Off: 0x1000, Vaddr: 0x10000,
		Filesz: 1 << 20, Memsz: 1 << 20, Align: 0x1000})
	if err := os.WriteFile(path, append(b.Bytes(), bytes.Repeat([]byte("abcdefg "), 1<<17+512)...), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startMCP(t, "-dir", dir)
	p.call("open", `{"path":"core"}`)
	if err := os.Truncate(path, 64); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"10100/X", "::findstr abcdefg", "61626364::ugrep"} {
		if got := p.call("command", `{"line":"`+line+`"}`); !strings.Contains(got, "cut short") ||
			!strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: the core was cut: %s", line, got)
		}
	}
	if got := p.call("cores", `{}`); !strings.Contains(got, `c1`) {
		t.Errorf("the server does not go on: %s", got)
	}
}

// TestMCPRedact: an argument of the program is not in what a redacted core says. TestBundleRedact has more.
func TestMCPRedact(t *testing.T) {
	p := startMCP(t, "-redact", "-dir", "../../testdata/cores")
	got := p.call("open", `{"path":"segv.cdb"}`)
	if !strings.Contains(got, "null-dereference") || strings.Contains(got, "initial argv: /opt") {
		t.Errorf("%s", got)
	}
	if got := p.call("command", `{"line":"::env"}`); strings.Contains(got, "PATH=") {
		t.Errorf("%s", got)
	}
	if testing.Short() {
		return
	}
	p.call("open", `{"path":"node-16-fatal.cdb"}`) // whose heap is compared once that call is over
	got = p.call("command", `{"core":"c2","line":"::heapdiff node-16-fatal.cdb"}`)
	if strings.Contains(got, `"isError":true`) || strings.Contains(got, "canceled") ||
		!strings.Contains(got, "no class differs") {
		t.Errorf("%s", got)
	}
}

// TestMCPGarbage: a line that is no JSON is answered with the code of JSON-RPC, and the open cores stay open.
func TestMCPGarbage(t *testing.T) {
	p := startMCP(t, "../../testdata/cores/segv.cdb")
	p.write(`{bad`)
	if line, err := p.out.ReadString('\n'); err != nil || !strings.Contains(line, "-32700") ||
		!strings.Contains(line, `"id":null`) {
		t.Errorf("%s, %v", line, err)
	}
	if got := p.call("cores", `{}`); !strings.Contains(got, "segv.cdb") {
		t.Errorf("the next request: %s", got)
	}
	if err := p.end(); err != nil || p.stderr.Len() > 0 {
		t.Errorf("%v: %s", err, p.stderr.String())
	}
}

// TestMCPMistakes: what is wrong with the arguments is said before anything is read.
func TestMCPMistakes(t *testing.T) {
	for _, args := range [][]string{{}, {"-dir", "/nosuch"}, {"-dir", "mcp_test.go"}, {"/nosuch/core"},
		{"-timeout", "x", "core"}} {
		err := exec.Command("coredbg", append([]string{"mcp"}, args...)...).Run()
		if x, ok := err.(*exec.ExitError); !ok || x.ExitCode() != exitUsage {
			t.Errorf("%q: %v", args, err)
		}
	}
}
