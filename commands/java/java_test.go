package java

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/java"
	"coredbg/stack/stacktest"
	"coredbg/walk"
)

func text(write func(*out.Writer)) string {
	var b bytes.Buffer
	write(out.NewWriter(&b))
	return b.String()
}

func TestStackText(t *testing.T) {
	r := &stackRecord{Stack: stacktest.Java(), thread: &frame.Thread{Name: "worker", ID: 2, TID: 7, State: "Waiting"}}
	want := `"worker" tid=2 Waiting sysTid=7
  (2 native frames elided)
  at java.lang.Object.wait(Native method)
  at demo.Queue.take(Queue.java:7) [inlined]
        locked <0x12c00100>
  at demo.Worker.run(Worker.java) (line is approximate)
  at demo.Main.main(Unknown Source)
  (1 native frame elided)
`
	if got := text(r.Text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r.all, r.thread = true, nil
	r.Stop = &walk.StopError{Kind: walk.StopNoProgress, At: 0x99}
	got := text(r.Text)
	for _, line := range []string{"\"worker\" sysTid=7 not attached to the runtime\n",
		"0000000000000010 native: libc.so.6`__futex_wait+0x1b\n",
		"0000000000000050 at demo.Main.main(Unknown Source)\n", "(stopped: no-progress 0x99)\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

func TestStackJSON(t *testing.T) {
	r := &stackRecord{Stack: stacktest.Java()}
	for all, want := range map[bool]int{false: 4, true: 7} {
		r.all = all
		b, err := out.Marshal(r)
		var got struct {
			Type   string           `json:"type"`
			Frames []map[string]any `json:"frames"`
		}
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got.Type != "thread" || len(got.Frames) != want || len(r.Frames) != 7 {
			t.Errorf("all %v: %v, %s", all, err, b)
		}
	}
}

// TestThrowable writes a throwable with all that it can hold, as
// Throwable.printStackTrace does.
func TestThrowable(t *testing.T) {
	class := func(name string) java.Object {
		return java.Object{Addr: 0x12c00000, Class: &java.Class{Name: name}}
	}
	x := &java.Throwable{Object: class("demo.Failed"), Message: "no room", HasMessage: true,
		Trace: []java.TraceElement{{Method: "demo.Main.main", File: "Main.java", Line: 3},
			{Method: "demo.Main.run", Native: true}},
		Suppressed: []*java.Throwable{{Object: class("demo.Closed"),
			Trace: []java.TraceElement{{Method: "demo.File.close", File: "File.java"}}}},
		Cause: &java.Throwable{Object: class("java.io.IOException"), Problem: "its backtrace: cut"}}
	want := `demo.Failed: no room
    at demo.Main.main(Main.java:3)
    at demo.Main.run(Native method)
    Suppressed: demo.Closed
        at demo.File.close(File.java)
Caused by: java.io.IOException
    its backtrace: cut
`
	if got := text(func(w *out.Writer) { newException(x, nil).write(w, "", "") }); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b, err := json.Marshal(newException(x, nil))
	var got struct {
		Class   string           `json:"class"`
		Message *string          `json:"message"`
		Trace   []map[string]any `json:"trace"`
		Cause   struct {
			Class   string  `json:"class"`
			Message *string `json:"message"`
			Problem string  `json:"problem"`
		} `json:"cause"`
		Suppressed []struct {
			Class string `json:"class"`
		} `json:"suppressed"`
	}
	if err == nil {
		err = json.Unmarshal(b, &got)
	}
	if err != nil || got.Class != "demo.Failed" || got.Message == nil || *got.Message != "no room" ||
		len(got.Trace) != 2 ||
		got.Cause.Class != "java.io.IOException" || got.Cause.Message != nil || got.Cause.Problem == "" ||
		len(got.Suppressed) != 1 || got.Suppressed[0].Class != "demo.Closed" {
		t.Errorf("%v: %s", err, b)
	}
}

func TestKind(t *testing.T) {
	for want, k := range map[string]*java.Class{
		"primitive": {Name: "int", Primitive: java.Int}, "array": {Name: "int[]", Shape: java.Arrays},
		"interface": {Access: 0x200}, "enum": {Access: 0x4000}, "class": {},
		"record": {Super: []string{"java.lang.Record", "java.lang.Object"}},
	} {
		if got := k.Kind(); got != want {
			t.Errorf("%+v is an %s", k, got)
		}
	}
}

// TestDexName makes file names from locations in a core, which may be anything.
func TestDexName(t *testing.T) {
	for _, c := range []struct {
		d    code.DexFile
		want string
	}{
		{code.DexFile{Location: "/system/framework/core-oj.jar"}, "003-core-oj.jar.dex"},
		{code.DexFile{Location: "/data/app/base.apk!classes2.dex", File: &dex.File{Header: dex.Header{Compact: true}}},
			"003-base.apk_classes2.dex.cdex"},
		{code.DexFile{Location: "../../etc/\x1b[2J*\n"}, "003-__2J__.dex"},
		{code.DexFile{Location: strings.Repeat("x", 500)}, "003-" + strings.Repeat("x", 80) + ".dex"},
		{code.DexFile{}, "003-.dex"},
	} {
		if got := dexName(3, &c.d); got != c.want {
			t.Errorf("%q: %q, want %q", c.d.Location, got, c.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	for want, r := range map[string]*dexRecord{
		"adler32 ok, sha1 ok":      newDex(&code.DexFile{}, 0, nil, dex.Check{}, nil),
		"adler32 differs, sha1 ok": newDex(&code.DexFile{}, 0, nil, dex.Check{Adler32: 1}, nil),
		"incomplete: cut": newDex(&code.DexFile{}, 0, errors.New("cut"), dex.Check{},
			errors.New("not checked")),
		"a compact dex file": newDex(&code.DexFile{}, 0, nil, dex.Check{}, errors.New("a compact dex file")),
	} {
		if got := r.good + r.bad; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSwitchTargets resolves the cases of a payload by the switch that names it, of
// which long ones are cut.
func TestSwitchTargets(t *testing.T) {
	cases := make([]dex.Case, maxShownCases+2)
	for i := range cases {
		cases[i] = dex.Case{Key: int32(i), Offset: 3}
	}
	r := newMethod(&code.Method{})
	for _, in := range []dex.Instruction{
		{PC: 2, Name: "packed-switch", Target: 8, HasTarget: true},
		{PC: 5, Name: "return-void"},
		{PC: 8, Name: "packed-switch-payload", Payload: &dex.Payload{Cases: cases}},
		{PC: 99, Name: "sparse-switch-payload", Payload: &dex.Payload{Cases: cases}}, // of no switch
	} {
		r.add(&in, "", 0)
	}
	got := r.switchTargets()
	if len(got) != 1 || len(got[8]) != maxShownCases+1 || got[8][0] != "0 -> 0005" ||
		got[8][maxShownCases] != "... 2 more" {
		t.Errorf("targets %v", got)
	}
}
