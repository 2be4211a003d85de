package art_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/walk"
)

// liveCores returns the folders of ART cores: the folders in COREDBG_ART, one for each core, and art-* of
// COREDBG_LIVE. Each holds core, log.txt, which ART itself printed just before it died, and the dex file or
// jar.
func liveCores(t testing.TB) []string {
	t.Helper()
	var dirs []string
	if root := os.Getenv("COREDBG_ART"); root != "" {
		d, _ := filepath.Glob(filepath.Join(root, "*"))
		dirs = append(dirs, d...)
	}
	if len(dirs) == 0 || os.Getenv("COREDBG_LIVE") != "" {
		dirs = append(dirs, coretest.Live(t)...)
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool {
		_, err := os.Stat(filepath.Join(d, "core"))
		return err != nil
	})
	if len(dirs) == 0 {
		t.Skip("COREDBG_ART and COREDBG_LIVE name no folder with ART cores")
	}
	return dirs
}

// openLive opens a core and probes for ART.
func openLive(t testing.TB, dir string) (*core.Process, *art.ART) {
	t.Helper()
	return openWith(t, dir, elf.Disk{Disk: find.Disk{Search: []string{dir}}},
		elf.Disk{Disk: find.Disk{Search: []string{dir}}})
}

// noFiles finds no executable and no library.
type noFiles struct{}

func (noFiles) Find(context.Context, find.Want) find.Found { return find.Found{} }

// openWith is openLive with libraries and dex files from elsewhere.
func openWith(t testing.TB, dir string, files, data find.Finder) (*core.Process, *art.ART) {
	t.Helper()
	path := filepath.Join(dir, "core")
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := elfcore.Open(src, path, elfcore.Options{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	r, err := art.Probe(context.Background(), runtimes.Target{Process: p, Symbols: sym.NewTable(p), Files: data})
	if err != nil || r == nil {
		t.Fatalf("Probe: %v, %v", r, err)
	}
	return p, r.(*art.ART)
}

// A dumped is a thread of ART's own dump.
type dumped struct {
	name, state string
	tid, id     int
	daemon      bool
	frames      []string // "demo.Demo.main(Demo.java:20)"
}

var (
	dumpThread = regexp.MustCompile(`"(.*)" (daemon )?prio=\d+ tid=(\d+) (\w+)`)
	dumpTID    = regexp.MustCompile(`  \| sysTid=(\d+) `)
	dumpFrame  = regexp.MustCompile(`  at (\S.*\))$`)
	dumpNoFile = regexp.MustCompile(`\((unavailable:-?\d+|.*:-2)\)$`)
	dumpAgain  = regexp.MustCompile(`  \.\.\. repeated (\d+) times$`)
)

// dump reads the last dump of a log.
func dump(t *testing.T, path string) []*dumped {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*dumped
	inside := false
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		switch {
		case strings.Contains(line, "DALVIK THREADS"):
			inside, out = true, nil
			continue
		case strings.Contains(line, "----- end"):
			inside = false
		}
		if !inside {
			continue
		}
		if m := dumpThread.FindStringSubmatch(line); m != nil {
			id, _ := strconv.Atoi(m[3])
			out = append(out, &dumped{name: m[1], daemon: m[2] != "", id: id, state: m[4]})
		} else if m := dumpTID.FindStringSubmatch(line); m != nil && len(out) > 0 {
			out[len(out)-1].tid, _ = strconv.Atoi(m[1])
		} else if m := dumpFrame.FindStringSubmatch(line); m != nil && len(out) > 0 {
			// A method without a source file has no line; newer versions print the dex pc instead. For a proxy
			// -2 stands for no place.
			f := dumpNoFile.ReplaceAllString(m[1], "(:0)")
			out[len(out)-1].frames = append(out[len(out)-1].frames, f)
		} else if m := dumpAgain.FindStringSubmatch(line); m != nil && len(out) > 0 {
			last := out[len(out)-1]
			n, _ := strconv.Atoi(m[1])
			for range n + 1 { // the first one that it leaves out is not counted
				last.frames = append(last.frames, last.frames[len(last.frames)-1])
			}
		}
	}
	return out
}

// javaFrames walks a thread and returns its Java frames as ART prints them, the
// notes among them, and why the walk ended.
func javaFrames(p *core.Process, a *art.ART, th *core.Thread) (frames, notes []string, machine int, stop error) {
	target := walk.NewTarget(p, walk.Options{})
	for f, err := range target.Walk(context.Background(), th, a.Begin(th)) {
		if err != nil {
			return frames, notes, machine, err
		}
		machine++
		sources, _ := a.Decode(&f)
		for _, s := range sources {
			place := fmt.Sprintf("%s:%d", s.File, s.Line)
			if s.Tier == string(frame.JNI) {
				place = "Native method"
			}
			frames = append(frames, fmt.Sprintf("%s(%s)", s.Name, place))
			if s.Note != "" {
				notes = append(notes, s.Note)
			}
		}
	}
	return frames, notes, machine, nil
}

// TestStacksAgainstART holds each thread's Java frames, name and state to those
// that ART itself printed in the same process.
func TestStacksAgainstART(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := dump(t, filepath.Join(dir, "log.txt"))
			if len(want) == 0 {
				t.Skip("ART printed no dump")
			}
			p, a := openLive(t, dir)
			for _, w := range want {
				checkThread(t, p, a, w)
			}
		})
	}
}

// TestStacksWithoutLibraries is the same for a core without its libraries: there are no symbols, and no call
// frame information.
func TestStacksWithoutLibraries(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := dump(t, filepath.Join(dir, "log.txt"))
			if len(want) == 0 {
				t.Skip("ART printed no dump")
			}
			p, a := openWith(t, dir, noFiles{}, elf.Disk{Disk: find.Disk{Search: []string{dir}}})
			for _, w := range want {
				checkThread(t, p, a, w)
			}
		})
	}
}

// TestStacksWithoutDex has the libraries and only the dex files in the core: methods have no names, and their
// number is ART's.
func TestStacksWithoutDex(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := dump(t, filepath.Join(dir, "log.txt"))
			if len(want) == 0 {
				t.Skip("ART printed no dump")
			}
			p, a := openWith(t, dir, elf.Disk{}, nil)
			for _, w := range want {
				th := p.Thread(w.tid)
				if th == nil {
					continue
				}
				if frames, notes, _, stop := javaFrames(p, a, th); len(frames) != len(w.frames) {
					t.Errorf("thread %s: %d frames, ART has %d:\n%s\nstop %v, notes %q", w.name,
						len(frames), len(w.frames),
						strings.Join(frames, "\n"), stop, notes)
				}
			}
		})
	}
}

func checkThread(t *testing.T, p *core.Process, a *art.ART, w *dumped) {
	t.Helper()
	th := p.Thread(w.tid)
	if th == nil {
		t.Logf("thread %d (%s) is not in the core", w.tid, w.name)
		return
	}
	x := a.Thread(th)
	if x == nil {
		t.Errorf("thread %d (%s) is not among the runtime's", w.tid, w.name)
		return
	}
	// For a thread without a peer the dump does not tell whether it is a daemon.
	if x.Name != w.name || x.ID != w.id || x.Daemon != w.daemon && x.Peer != 0 {
		t.Errorf("thread %d: name %q, id %d, daemon %v; ART has %q, %d, %v", w.tid, x.Name, x.ID, x.Daemon, w.name,
			w.id, w.daemon)
	}
	// The Signal Catcher was writing the dump and had others suspended for it;
	// who was about to lock something then may wait for it by now.
	moving := slices.Contains([]string{"Suspended", "Runnable", "WaitingForLockInflation"}, w.state)
	if x.State != w.state && w.name != "Signal Catcher" &&
		!(moving && (x.State == "Runnable" || x.State == "Blocked")) {
		t.Errorf("thread %s: state %s, ART has %s", w.name, x.State, w.state)
	}
	frames, notes, _, stop := javaFrames(p, a, th)
	if !sameFrames(frames, w.frames, len(notes) > 0) {
		t.Errorf("thread %s:\n got %s\nwant %s\nstop %v, notes %q", w.name, strings.Join(frames, "\n     "),
			strings.Join(w.frames, "\n     "), stop, notes)
	}
}

var lineNumber = regexp.MustCompile(`:\d+\)$`)

// sameFrames compares frames; with a note the line of the innermost may be near
// the true one only.
func sameFrames(got, want []string, noted bool) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] && !(noted && i == 0 &&
			lineNumber.ReplaceAllString(got[i], "") == lineNumber.ReplaceAllString(want[i], "")) {
			return false
		}
	}
	return true
}
