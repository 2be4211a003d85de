package store

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/file"
)

const boot = "0123456789abcdef0123456789abcdef"

// write writes files below a folder.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// machine makes a root with each store in it. The journal is the one of package journal.
func machine(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	packed, err := os.ReadFile("journal/testdata/regular.journal.zst")
	if err != nil {
		t.Fatal(err)
	}
	log, err := file.Decompress(packed, 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, map[string]string{
		"var/lib/systemd/coredump/core.web.1000." + boot + ".44.1790000002000000.xz":           "",
		"var/lib/systemd/coredump/core.web.1000." + boot + ".43.1790000001000000.zst":          "",
		`var/lib/systemd/coredump/core.a\x2eb\x20c.0.` + boot + ".45.1790000000000000":         "",
		"var/lib/systemd/coredump/core.gnome-software-.0." + boot + ".46.1790000000000000.lz4": "",
		// being written
		"var/lib/systemd/coredump/.#core.web.1000." + boot + ".99.17900000090000005f0a":             "",
		"var/log/journal/" + boot + "/system.journal":                                               string(log),
		"var/log/journal/" + boot + "/user-1000.journal":                                            "cut",
		"var/crash/_usr_bin_eog.1000.crash":                                                         "ProblemType: Crash\nDate: Mon Sep 21 14:13:20 2026\nExecutablePath: /usr/bin/eog\nPackage: eog 45.3\nProcStatus:\n Name:\teog\n Pid:\t71\nSignal: 11\nCoreDump: base64\n H4s=\n",
		"var/crash/_usr_bin_py.0.crash":                                                             "ProblemType: Crash\nExecutablePath: /usr/bin/py\nTraceback:\n Pid: 72\n",
		"var/lib/apport/coredump/core._home_me_tool.1000.01234567-89ab-cdef-0123-456789abcdef.73.9": "",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/coredump":                                       "",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/pid":                                            "81\n",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/executable":                                     "/usr/sbin/httpd\n",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/reason":                                         "httpd killed by SIGSEGV\n",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/package":                                        "httpd-2.4.62-1\n",
		"var/spool/abrt/ccpp-2026-09-21-14:13:20-81/time":                                           "1790000000\n",
		// without a core
		"var/spool/abrt/Python-2026-09-21-14:13:20-82/pid": "82\n",
		"cores/host1/core.job.91.11.1790000005":            "",
		"cores/host1/core.job.90.6.1790000004.gz":          "",
		"cores/host1/core.job.notanumber.6.1790000004":     "",
	})
	return root
}

func TestFind(t *testing.T) {
	root := machine(t)
	p := Places{Root: root, Pattern: "/cores/%h/core.%e.%p.%s.%t\n"}
	dump := filepath.Join(root, dumps)
	for word, want := range map[string][]string{
		"web": {
			filepath.Join(dump, "core.web.1000."+boot+".44.1790000002000000.xz") +
				": /usr/bin/web (pid 44), shop.service, web-server 2.1-3, SIGSEGV, 2026-09-21 14:13:22 UTC, systemd-coredump",
			filepath.Join(dump, "core.web.1000."+boot+".43.1790000001000000.zst") +
				": web (pid 43), 2026-09-21 14:13:21 UTC, systemd-coredump",
		},
		"44":                     {"/usr/bin/web (pid 44)"},
		"/usr/bin/web":           {"/usr/bin/web (pid 44)"},
		"shop":                   {"/usr/bin/web (pid 44)"},
		"shop.service":           {"/usr/bin/web (pid 44)"},
		"a.b c":                  {"a.b c (pid 45)"},
		"gnome-software-service": {"gnome-software- (pid 46)"},
		"gnome-software":         {},
		"mailer":                 {"gone: /usr/lib/mailer/mailer (pid 51), mailer.service, SIGABRT, 2026-09-21 14:13:28 UTC, systemd-coredump"},
		"eog":                    {"/usr/bin/eog (pid 71), eog 45.3, SIGSEGV"},
		"71":                     {"/usr/bin/eog (pid 71)"},
		"py":                     {},
		"tool":                   {"tool (pid 73)"},
		"httpd":                  {"/usr/sbin/httpd (pid 81), httpd-2.4.62-1, SIGSEGV, 2026-09-21 14:13:20 UTC, ABRT"},
		"82":                     {},
		"99":                     {},
		"job": {"job (pid 91), SIGSEGV, 2026-09-21 14:13:25 UTC, core_pattern",
			"job (pid 90), SIGABRT"},
		"90":                         {"core.job.90.6.1790000004.gz"},
		"":                           {},
		strings.Repeat("x", 100_000): {},
	} {
		found, refused := p.Find(word)
		if len(refused) != 1 || !strings.Contains(refused[0].Error(), "user-1000.journal: not a journal file") {
			t.Errorf("%.20q: refused: %v", word, refused)
		}
		if len(found) != len(want) {
			t.Errorf("%.20q: %d cores, not %d: %v", word, len(found), len(want), found)
			continue
		}
		for i, c := range found {
			got := c.Path + ": " + c.Says()
			if c.Gone {
				got = "gone: " + c.Says()
			}
			if !strings.Contains(got, want[i]) {
				t.Errorf("%.20q: %s, not %s", word, got, want[i])
			}
		}
	}
	// The journal has eight deaths of one process, and no file is kept.
	if found, _ := p.Find("looper.service"); len(found) != 8 || !found[0].Gone || !found[0].Time.After(found[7].Time) {
		t.Errorf("looper.service: %v", found)
	}
}

// TestOutside follows no link out of the root.
func TestOutside(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"core.web.1000." + boot + ".44.1790000002000000": ""})
	write(t, root, map[string]string{"var/lib/systemd/x": ""})
	if err := os.Symlink(outside, filepath.Join(root, dumps)); err != nil {
		t.Skip(err) // links need a privilege on some systems
	}
	if found, _ := (Places{Root: root}).Find("web"); len(found) != 0 {
		t.Errorf("%v", found)
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern string
		names   []string
		want    []string // "NAME PID" of the cores that are found by the name "a.out" or the pid 7
	}{
		{"core", []string{"core.7", "core", "core.c"}, []string{" 7"}},
		{"core.%p", []string{"core.7", "core.7.zst", "core.x7"}, []string{" 7", " 7"}},
		{"%e-%%-%t.core", []string{"a.out-%-1790000000.core", "a.out-1790000000.core"}, []string{"a.out 0"}},
		{"%E", []string{"!usr!bin!a.out", "!usr!bin!a.out.7"}, []string{"a.out 0", "a.out 7"}},
		{"core.%e.%", []string{"core.a.out."}, []string{"a.out 0"}},
		{"core.%q%e", []string{"core.a.out"}, []string{"a.out 0"}},
		{"|/usr/bin/keep %p", []string{"7"}, nil},
		{"", []string{"core.7"}, nil},
	} {
		folder := t.TempDir()
		for _, n := range c.names {
			write(t, folder, map[string]string{n: ""})
		}
		var got []string
		for _, word := range []string{"7", "a.out"} {
			found, refused := Places{Root: t.TempDir(), Pattern: c.pattern}.Find(word)
			if len(found) != 0 || len(refused) != 0 {
				t.Errorf("%s: without a folder: %v, %v", c.pattern, found, refused)
			}
			l := look{Places: Places{Pattern: c.pattern, Folder: folder}}
			l.pattern()
			for _, core := range l.cores {
				if core.means(word) {
					got = append(got, core.Name+" "+strconv.Itoa(core.PID))
				}
			}
		}
		slices.Sort(got)
		got, want := slices.Compact(slices.Clone(got)), slices.Compact(slices.Sorted(slices.Values(c.want)))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", c.pattern, got, want)
		}
	}
}
