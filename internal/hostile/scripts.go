//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A question is a request of a protocol: the name of a tool or command, and arguments as JSON. In
// these %L is a command line, %A an address, %N a small number.
type question struct{ name, arguments string }

// tools are asked by the Model Context Protocol.
var tools = []question{
	{"verdict", `{}`}, {"verdict", `{"core":"%N"}`}, {"stacks", `{}`}, {"stacks", `{"all":true}`},
	{"stacks", `{"language":"javascript"}`},
	{"stacks", `{"language":"java","all":true}`}, {"stacks", `{"language":"go"}`}, {"stacks", `{"thread":%N}`},
	{"frame", `{"frame":%N,"depth":%N}`},
	{"frame", `{"frame":-1}`}, {"value", `{"address":"%A"}`}, {"value", `{"expression":"errno"}`},
	{"value", `{"address":"%A","type":"char","depth":%N}`},
	{"threads", `{}`}, {"locks", `{}`}, {"heap", `{}`}, {"path_to_root", `{"address":"%A","paths":%N}`},
	{"search", `{"text":"Error","most":%N}`},
	{"search", `{"pointer":"%A"}`}, {"search", `{"symbol":"a"}`}, {"search", `{"class":"Object","most":1000000}`},
	{"command", `{"line":"%L"}`},
	{"command", `{"line":"%L"}`}, {"command", `{"line":"%L"}`}, {"cores", `{}`}, {"compare", `{"older":"1"}`},
	{"more", `{"cursor":"1.%N.%N"}`}, {"close", `{}`},
}

// commands are asked by the Debug Adapter Protocol.
var commands = []question{
	{"threads", `{}`}, {"stackTrace", `{"threadId":%N}`},
	{"stackTrace", `{"threadId":%N,"startFrame":%N,"levels":1000000}`}, {"scopes", `{"frameId":%N}`},
	{"variables", `{"variablesReference":%N}`}, {"variables", `{"variablesReference":%N,"start":%N,"count":1000000}`},
	{"evaluate", `{"expression":"%L"}`},
	{"evaluate", `{"expression":"%L","context":"repl"}`},
	{"evaluate", `{"expression":"errno","frameId":%N,"context":"watch"}`}, {"modules", `{}`},
	{"exceptionInfo", `{"threadId":%N}`},
	{"readMemory", `{"memoryReference":"%A","count":1000000}`},
	{"disassemble", `{"memoryReference":"%A","instructionOffset":-%N,"instructionCount":1000000}`},
	{"source", `{"sourceReference":%N}`}, {"loadedSources", `{}`}, {"cancel", `{"requestId":%N}`},
	{"continue", `{"threadId":%N}`}, {"launch", `{}`},
}

// asked is the number of requests in a script after its beginning.
const asked = 12

// fill puts a question's arguments together.
func (q question) fill(r *rand.Rand) string {
	text := q.arguments
	for strings.Contains(text, "%N") {
		text = strings.Replace(text, "%N", fmt.Sprint(r.IntN(1<<r.IntN(12))), 1)
	}
	text = strings.ReplaceAll(text, "%A", fmt.Sprintf("0x%x", r.Uint64()>>r.IntN(64)))
	line, _ := json.Marshal(lines[r.IntN(len(lines))]) // a string has JSON
	return strings.ReplaceAll(text, "%L", strings.Trim(string(line), `"`))
}

// script writes the requests of a protocol to a file in folder, if args speak one, and returns its name; ""
// if not. Every third script is damaged. An editor names the core in a request: it goes from args.
func script(r *rand.Rand, folder string, args *[]string) (string, error) {
	var text string
	switch a := *args; a[0] {
	case "mcp":
		text = mcpScript(r)
	case "dap":
		text = dapScript(r, a[len(a)-1])
		*args = a[:len(a)-1]
	default:
		return "", nil
	}
	b := []byte(text)
	if r.IntN(3) == 0 {
		for range 1 + r.IntN(3) {
			if m := textMutators[r.IntN(len(textMutators))]; len(b) > 0 {
				b = m.do(b, r)
			}
		}
	}
	name := filepath.Join(folder, "requests")
	return name, os.WriteFile(name, b, 0o600)
}

// mcpScript returns requests of a client of coredbg mcp that has opened a core.
func mcpScript(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"hostile","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for n := range asked {
		q := tools[r.IntN(len(tools))]
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}`+"\n",
			n+1, q.name, q.fill(r))
	}
	return b.String()
}

// dapScript returns requests of an editor that opens a core.
func dapScript(r *rand.Rand, core string) string {
	var b strings.Builder
	seq := 0
	request := func(name, arguments string) {
		seq++
		text := fmt.Sprintf(`{"seq":%d,"type":"request","command":"%s","arguments":%s}`, seq, name, arguments)
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	path, _ := json.Marshal(core) // a string has JSON
	request("initialize", `{"adapterID":"hostile"}`)
	request("launch", fmt.Sprintf(`{"core":%s}`, path))
	request("configurationDone", `{}`)
	request("threads", `{}`)
	for range asked {
		q := commands[r.IntN(len(commands))]
		request(q.name, q.fill(r))
	}
	request("disconnect", `{}`)
	return b.String()
}
