package triage

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/file"
	"coredbg/triage/lend"
)

// asConfined is set in the environment of a process that is to confine itself.
const asConfined = "TRIAGE_TEST_CONFINED"

func TestMain(m *testing.M) {
	if os.Getenv(asConfined) == "" {
		os.Exit(m.Run())
	}
	j := &Job{Core: os.Args[1], Options: coredbg.Options{Search: []string{os.Args[2]}}}
	j.lent, _ = lend.Borrow(os.Stdin, func() {})
	fmt.Printf("confined %q\n", j.confine())
	for _, path := range os.Args[3:] {
		f, err := os.Open(path)
		if err == nil {
			_, err = io.Copy(io.Discard, f)
			if st, _ := f.Stat(); st.IsDir() {
				_, err = f.ReadDir(1)
			}
		}
		fmt.Println("read", filepath.Base(path), err == nil || err == io.EOF)
	}
	outside := os.WriteFile(filepath.Join(filepath.Dir(os.Args[1]), "written"), nil, 0o600)
	tmp, err := file.NewScratch()
	if err == nil {
		tmp.Close()
	}
	fmt.Println("write", outside == nil, err == nil)
	os.Exit(0)
}

// TestConfined: before a core is opened, its process can read the core and the files that the user named,
// and nothing else; it can write to a folder of its own in the temporary folder, and nowhere
// else there. Truth: open(2) itself.
func TestConfined(t *testing.T) {
	if _, why := restrictable(); why != "" {
		t.Skip(why)
	}
	dir, search := t.TempDir(), t.TempDir()
	paths := map[string]string{}
	for _, at := range []string{filepath.Join(dir, "core"), filepath.Join(dir, "neighbour"),
		filepath.Join(search, "named")} {
		if err := os.WriteFile(at, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		paths[filepath.Base(at)] = at
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l := &lend.Lender{Scratch: t.TempDir(), Beside: dir, System: true}
	stdin, stop, err := l.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cmd := exec.Command(exe, paths["core"], search, paths["core"], paths["named"], search, paths["neighbour"], dir,
		os.TempDir(), "/etc", "/etc/passwd", "/usr", "/")
	cmd.Env, cmd.Stdin = append(os.Environ(), asConfined+"=1"), stdin
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	base := filepath.Base
	want := []string{`confined ""`, "read core true", "read named true", "read " + base(search) + " true",
		"read neighbour false",
		"read " + base(dir) + " false", "read " + base(os.TempDir()) + " false", "read etc false", "read passwd false",
		"read usr false", "read / false", "write false true"}
	got := strings.Split(strings.TrimSpace(said.String()), "\n")
	if strings.HasPrefix(got[0], "confined") {
		got[0] = want[0] // an older kernel cannot keep it from the network
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
