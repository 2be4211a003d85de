package js

import (
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/promise"
)

func TestPromiseRecords(t *testing.T) {
	at, one := frame.Place{Name: "wait", File: "/a.js", Line: 3, Column: 5}, 1
	for _, c := range []struct {
		rec        commands.Record
		text, json string
	}{
		{&promiseRecord{State: "pending", First: 0x11, Awaited: at, How: promise.WaitAwait, Count: 2},
			"11                      2 pending   await              wait (/a.js:3:5)\n",
			`{"type":"jspromise","state":"pending","addr":"0x11","awaited_at":{"name":"wait","file":"/a.js","line":3,"column":5},"awaited_by":"await","count":2}`},
		{&promiseRecord{State: "pending", First: 0x11, For: at, How: promise.WaitAll, Count: 9},
			"11                      9 pending   Promise.all        for wait (/a.js:3:5)\n",
			`{"type":"jspromise","state":"pending","addr":"0x11","awaited_for":{"name":"wait","file":"/a.js","line":3,"column":5},"awaited_by":"Promise.all","count":9}`},
		{&promiseRecord{State: "rejected", First: 0x11, Count: 1},
			"11                      1 rejected  -                  -\n",
			`{"type":"jspromise","state":"rejected","addr":"0x11","count":1}`},
		{&asyncRecord{At: 0x21, State: "pending", Waiters: []asyncWaiter{
			{Kind: promise.WaitAll, Index: &one, Promise: 0x31,
				Waiters: []asyncWaiter{{Kind: promise.WaitAwait, Place: at, Generator: 0x41, Cut: "too many"}}},
			{Kind: promise.WaitThen}}},
			"21: pending promise\n    at async Promise.all (index 1)\n        at async wait (/a.js:3:5)\n        (too many)\n    at then <builtin>\n",
			`{"type":"jsasyncstack","addr":"0x21","state":"pending","waiters":[{"kind":"Promise.all","index":1,"promise":"0x31","waiters":[` +
				`{"kind":"await","name":"wait","file":"/a.js","line":3,"column":5,"generator":"0x41","cut":"too many"}]},{"kind":"then"}]}`},
	} {
		if got := text(c.rec); got != c.text {
			t.Errorf("text: got\n%s\nwant\n%s", got, c.text)
		}
		if b, err := out.Marshal(c.rec); err != nil || string(b) != c.json {
			t.Errorf("json: got\n%s, %v, want\n%s", b, err, c.json)
		}
	}
}
