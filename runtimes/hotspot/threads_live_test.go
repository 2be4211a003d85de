package hotspot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// dumpThread is the first line about a thread in the JVM's dump: its name, number, and whether it is a daemon.
var dumpThread = regexp.MustCompile(`(?m)^"(.*)" #(\d+)(?: \[\d+\])?( daemon)?(?: \[\d+\])? prio=(\d+) .*\bnid=(0x[0-9a-f]+|\d+)`)

// TestLiveThreadObjects reads java.lang.Thread objects by the names of their fields and compares them with
// the thread dump that the JVM has printed just before it died.
func TestLiveThreadObjects(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkThreadObjects(t, dir) })
	}
}

func checkThreadObjects(t *testing.T, dir string) {
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := hotSpot(t, s)
	threads := 0
	for _, m := range dumpThread.FindAllStringSubmatch(readText(t, filepath.Join(dir, "out.txt")), -1) {
		tid, err := strconv.ParseInt(m[5], 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		native := s.Process.Thread(int(tid))
		if native == nil || h.Thread(native) == nil {
			continue
		}
		o := threadObject(t, h, h.Thread(native).Addr)
		name, _ := h.StringField(o, "name")
		number, _ := h.IntField(o, "tid")
		holder := o // JDK 19 and later have some fields in Thread.holder
		if at, ok := h.RefField(o, "holder"); ok {
			if holder, err = h.Object(at); err != nil {
				t.Error(err)
			}
		}
		daemon, ok1 := h.IntField(holder, "daemon")
		priority, ok2 := h.IntField(holder, "priority")
		want := []string{m[1], m[2], m[3], m[4]}
		got := []string{name, strconv.FormatInt(number, 10), map[int64]string{1: " daemon"}[daemon],
			strconv.FormatInt(priority, 10)}
		for i := range want {
			if got[i] != want[i] || !ok1 || !ok2 {
				t.Errorf("thread %d: %q, want %q", tid, got, want)
				break
			}
		}
		threads++
	}
	if threads < 20 {
		t.Errorf("%d threads are compared, want at least 20", threads)
	}
}

// hotSpot returns the HotSpot of a session.
func hotSpot(t *testing.T, s *coredbg.Session) *hotspot.HotSpot {
	t.Helper()
	h, ok := commands.RuntimeOf[*hotspot.HotSpot](s)
	if !ok {
		t.Fatal("no HotSpot is in the process")
	}
	return h
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// threadObject returns the java.lang.Thread of a JavaThread.
func threadObject(t *testing.T, h *hotspot.HotSpot, at core.Addr) object.Object {
	t.Helper()
	f, ok := h.Lookup("JavaThread._threadObj")
	if !ok {
		t.Fatal("JavaThread._threadObj is not in the tables")
	}
	ref, ok := h.Handle(at.Add(f.Offset), f.Type)
	if !ok {
		t.Fatalf("the Thread of %v cannot be read", at)
	}
	o, err := h.Object(ref)
	if err != nil {
		t.Fatal(err)
	}
	if !h.IsA(o.Class, "java.lang.Thread") || !h.IsA(o.Class, "java.lang.Runnable") {
		t.Errorf("%v is a %s, which is no Thread or no Runnable", ref, o.Class.Name)
	}
	// Thread's own constants, as its documentation has them.
	for name, want := range map[string]uint64{"MIN_PRIORITY": 1, "NORM_PRIORITY": 5, "MAX_PRIORITY": 10} {
		if f, at, ok := h.StaticField(o.Class, name); !ok || f.Type != "I" {
			t.Errorf("Thread.%s: %+v", name, f)
		} else if v, ok := h.PrimitiveAt(at, java.Int); !ok || v != want {
			t.Errorf("Thread.%s is %d, want %d", name, v, want)
		}
	}
	if c, _, ok := h.Mirrored(object.Object{Addr: o.Class.Mirror, Class: h.ClassOf(o.Class.Mirror)}); !ok ||
		c != o.Class {
		t.Errorf("the java.lang.Class of %s leads to %v", o.Class.Name, c)
	}
	return o
}
