package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coredbg/commands"
)

// TestTicker: long work is reported, and the line is gone when something else is written.
func TestTicker(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	written := func() string {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		f.Truncate(0)
		f.Seek(0, 0)
		return string(b)
	}
	if NewTicker(f, commands.OS{}) != nil {
		t.Error("a ticker on what is not a terminal")
	}
	now := time.Now()
	tick := &Ticker{w: f, system: commands.OS{}, since: now, last: now}
	for _, c := range []struct {
		do    func()
		after time.Duration
		want  string
	}{
		{func() {}, tickAfter - 1, ""},
		{func() {}, 3 * time.Second, "\rworking, 3 s (^C ends it)\x1b[K"},
		{func() { tick.Tell("searching", 1, 3) }, 4 * time.Second, "\rsearching: 33%, 4 s (^C ends it)\x1b[K"},
		{func() { tick.Tell("read\x1bing", 7, 0) }, 5 * time.Second, "\rread\\x1bing, 5 s (^C ends it)\x1b[K"},
		{func() { tick.Tell("reading", 9, 9) }, 6 * time.Second, "\rworking, 6 s (^C ends it)\x1b[K"},
		{func() { tick.Clear() }, 0, "\r\x1b[K"},
		{func() { tick.Clear() }, 0, ""},
		{func() { tick.Hold() }, time.Hour, ""},
	} {
		c.do()
		tick.show(now.Add(c.after))
		if got := written(); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
	// A terminal that knows no escape sequences gets none.
	tick = &Ticker{w: f, system: commands.OS{}, since: now, last: now, dumb: true}
	tick.Tell("searching", 1, 0)
	tick.show(now.Add(3 * time.Second))
	tick.Tell("", 1, 1)
	tick.show(now.Add(4 * time.Second))
	tick.Clear()
	if got, want := written(), "\rsearching, 3 s (^C ends it)\rworking, 4 s (^C ends it)  \r"+strings.Repeat(" ", 25)+
		"\r"; got != want {
		t.Errorf("without escape sequences: %q, want %q", got, want)
	}
	// Nobody sees a nil one.
	var none *Ticker
	ran := false
	none.Watch(func() { ran = true })
	none.Tell("x", 1, 2)
	none.Clear()
	none.Hold()()
	if !ran {
		t.Error("the work was not done")
	}
}
