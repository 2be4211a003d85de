package node

import (
	"bytes"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/v8/frame"
)

func TestNodeRecords(t *testing.T) {
	at := frame.Place{Name: "wait", File: "/a.js", Line: 3, Column: 5}
	due, fd := -4.0, int32(7)
	uptime := 1.5
	for _, c := range []struct {
		rec        commands.Record
		text, json string
	}{
		{&handleRecord{At: 0x10, Loop: 0x8, Kind: "tcp", Active: true, Referenced: true, Listening: true, FD: &fd,
			Wrap: 0x51, WrapClass: "TCP", Owner: 0x61, OwnerClass: "Server"},
			"10               tcp       active   7     61 Server                      listening\n",
			`{"type":"uvhandle","addr":"0x10","loop":"0x8","handle":"tcp","active":true,"ref":true,"listening":true,"fd":7,"wrap":"0x51","wrap_class":"TCP","owner":"0x61","owner_class":"Server"}`},
		{&requestRecord{At: 0x10, Kind: "fs", Wrap: 0x51, WrapClass: "FSReqCallback"},
			"10               fs           51               FSReqCallback\n",
			`{"type":"uvrequest","addr":"0x10","request":"fs","wrap":"0x51","wrap_class":"FSReqCallback"}`},
		{&timerRecord{At: 0x11, Kind: "interval", Due: &due, After: 100, Ref: true, Place: at},
			"11               interval            -4          100 ref   wait (/a.js:3:5)\n",
			`{"type":"jstimer","addr":"0x11","timer":"interval","due":-4,"after":100,"ref":true,"at":{"name":"wait","file":"/a.js","line":3,"column":5}}`},
		{&tickRecord{Queue: "nextTick", At: 0x11, Kind: "nextTick"},
			"11               nextTick   callback  -\n",
			`{"type":"jstick","queue":"nextTick","addr":"0x11","kind":"nextTick"}`},
		{&infoRecord{At: 0x11, Version: "v20.1.0", Arch: "x64", Platform: "linux", ExecArgv: []string{},
			Argv: []string{"node", "a.js"}, Uptime: &uptime,
			Versions: out.Object[string]{{Name: "uv", Value: "1.44"}}, verbose: true},
			"node:       v20.1.0 linux-x64\nprocess:    11\nprogram:    a.js\nuptime:     1.500 s\n    uv           1.44\n",
			`{"type":"nodeinfo","addr":"0x11","version":"v20.1.0","arch":"x64","platform":"linux","exec_argv":[],"argv":["node","a.js"],"uptime":1.5,"versions":{"uv":"1.44"}}`},
	} {
		var b bytes.Buffer
		if err := commands.WriteText(out.NewWriter(&b), c.rec); err != nil || b.String() != c.text {
			t.Errorf("text: got\n%s, %v, want\n%s", b.String(), err, c.text)
		}
		if b, err := out.Marshal(c.rec); err != nil || string(b) != c.json {
			t.Errorf("json: got\n%s, %v, want\n%s", b, err, c.json)
		}
	}
}
