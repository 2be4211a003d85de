package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveMutexes: of two threads that take two locks in turn (hang.cc), each holds one and waits
// for the other's.
func TestLiveMutexes(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			s := openValues(t, file)
			type mutex struct {
				Kind, Name string
				Owner      int
				Waiters    []int
			}
			locks := map[string]mutex{}
			for _, m := range records[mutex](t, s, "::mutexes") {
				if m.Kind == "mutex" {
					locks[m.Name] = m
				}
			}
			a, b := locks["hang`first"], locks["hang`second"]
			if len(locks) != 2 || len(a.Waiters) != 1 || len(b.Waiters) != 1 || a.Owner != b.Waiters[0] ||
				b.Owner != a.Waiters[0] || a.Owner == b.Owner {
				t.Errorf("locks %+v", locks)
			}
			type deadlock struct {
				Waits []struct{ Kind, Class string }
			}
			all := records[deadlock](t, s, "::deadlock")
			if len(all) != 1 || len(all[0].Waits) != 2 || all[0].Waits[0].Kind != "mutex" {
				t.Errorf("deadlocks %+v", all)
			}
		})
	}
}

// TestLiveRWLocks: of two threads that write, each wants what the other has locked; and two read what a
// third wants to write (hang.cc).
func TestLiveRWLocks(t *testing.T) {
	type rwlock struct {
		Kind, Name     string
		Owner, Readers int
		Waiters        []int
	}
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		writers := strings.HasPrefix(name, "hang-writers-")
		t.Run(name, func(t *testing.T) {
			s := openValues(t, file)
			locks := map[string]rwlock{}
			for _, m := range records[rwlock](t, s, "::mutexes") {
				if m.Kind == "rwlock" {
					locks[m.Name] = m
				}
			}
			a, b := locks["hang`shelf"], locks["hang`drawer"]
			if !writers {
				if len(locks) != 1 || a.Owner != 0 || a.Readers != 2 || len(a.Waiters) != 1 {
					t.Errorf("locks %+v", locks)
				}
				return
			}
			if len(locks) != 2 || len(a.Waiters) != 1 || len(b.Waiters) != 1 || a.Owner != b.Waiters[0] ||
				b.Owner != a.Waiters[0] || a.Owner == b.Owner {
				t.Errorf("locks %+v", locks)
			}
			type deadlock struct{ Waits []struct{ Kind string } }
			all := records[deadlock](t, s, "::deadlock")
			if len(all) != 1 || len(all[0].Waits) != 2 || all[0].Waits[0].Kind != "rwlock" {
				t.Errorf("deadlocks %+v", all)
			}
		})
	}
}
