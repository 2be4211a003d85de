package js

import (
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/v8/frame"
)

func TestNodeRecords(t *testing.T) {
	at := newPlace(frame.Place{Name: "wait", File: "/a.js", Line: 3, Column: 5})
	due, one, fd := -4.0, 1, int32(7)
	uptime := 1.5
	for _, c := range []struct {
		rec        commands.Record
		text, json string
	}{
		{&promiseRecord{State: "pending", First: 0x11, Awaited: at, How: frame.WaitAwait, Count: 2},
			"11                      2 pending   await              wait (/a.js:3:5)\n",
			`{"type":"jspromise","state":"pending","addr":"0x11","awaited_at":{"name":"wait","file":"/a.js","line":3,"column":5},"awaited_by":"await","count":2}`},
		{&promiseRecord{State: "pending", First: 0x11, For: at, How: frame.WaitAll, Count: 9},
			"11                      9 pending   Promise.all        for wait (/a.js:3:5)\n",
			`{"type":"jspromise","state":"pending","addr":"0x11","awaited_for":{"name":"wait","file":"/a.js","line":3,"column":5},"awaited_by":"Promise.all","count":9}`},
		{&promiseRecord{State: "rejected", First: 0x11, Count: 1},
			"11                      1 rejected  -                  -\n",
			`{"type":"jspromise","state":"rejected","addr":"0x11","count":1}`},
		{&asyncRecord{At: 0x21, State: "pending", Waiters: []asyncWaiter{
			{Kind: frame.WaitAll, Index: &one, Promise: 0x31, Waiters: []asyncWaiter{{Kind: frame.WaitAwait, place: at, Generator: 0x41, Cut: "too many"}}},
			{Kind: frame.WaitThen}}},
			"21: pending promise\n    at async Promise.all (index 1)\n        at async wait (/a.js:3:5)\n        (too many)\n    at then <builtin>\n",
			`{"type":"jsasyncstack","addr":"0x21","state":"pending","waiters":[{"kind":"Promise.all","index":1,"promise":"0x31","waiters":[` +
				`{"kind":"await","name":"wait","file":"/a.js","line":3,"column":5,"generator":"0x41","cut":"too many"}]},{"kind":"then"}]}`},
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
		{&infoRecord{At: 0x11, Version: "v20.1.0", Arch: "x64", Platform: "linux", ExecArgv: []string{}, Argv: []string{"node", "a.js"}, Uptime: &uptime,
			Versions: versions{{Name: "uv", Version: "1.44"}}, verbose: true},
			"node:       v20.1.0 linux-x64\nprocess:    11\nprogram:    a.js\nuptime:     1.500 s\n    uv           1.44\n",
			`{"type":"nodeinfo","addr":"0x11","version":"v20.1.0","arch":"x64","platform":"linux","exec_argv":[],"argv":["node","a.js"],"uptime":1.5,"versions":{"uv":"1.44"}}`},
	} {
		if got := text(c.rec); got != c.text {
			t.Errorf("text: got\n%s\nwant\n%s", got, c.text)
		}
		if b, err := out.Marshal(c.rec); err != nil || string(b) != c.json {
			t.Errorf("json: got\n%s, %v, want\n%s", b, err, c.json)
		}
	}
}
