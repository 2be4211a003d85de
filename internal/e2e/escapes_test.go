package e2e

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"coredbg"
	"coredbg/core"
)

// TestEscapesOfRuntimes makes texts in the memory of real processes hostile:
// names of functions, classes and threads, strings, keys. Every command is driven
// over them, and nothing that a terminal obeys may be written.
func TestEscapesOfRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every command on cores of runtimes")
	}
	for _, c := range []struct{ core, words string }{
		{"node-24", "::jsstack -val; ::findjsobjects; ::promises; ::handles; ::nodeinfo"},
		{"art-14-graph", "::javastack -vl; ::javathreads; ::javaheap"},
		{"exception", "::stacks -a"},
	} {
		t.Run(c.core, func(t *testing.T) {
			path := "../../testdata/cores/" + c.core + ".cdb"
			told, _ := drive(t, path, nil, c.words)
			words := slices.Compact(slices.Sorted(slices.Values(regexp.MustCompile(`[A-Za-z_]{5,}`).FindAllString(told,
				-1))))
			told, _ = drive(t, path, words, c.words)
			if !strings.Contains(told, `\x1b`) && !strings.HasPrefix(c.core, "exc") {
				t.Errorf("none of %d words was shown hostile", len(words))
			}
			addrs := regexp.MustCompile(`0x[0-9a-f]{6,}`).FindAllString(told, -1)
			addrs = slices.Compact(slices.Sorted(slices.Values(addrs)))
			lines := []string{c.words}
			for _, cmd := range coredbg.Registry().Commands() {
				if slices.Contains([]string{"quit", "exit", "log", "$>"}, cmd.Name) {
					continue
				}
				lines = append(lines, cmd.Title())
				for i := 0; i < len(addrs); i += 1 + len(addrs)/3 {
					lines = append(lines, addrs[i]+cmd.Title())
				}
			}
			for _, json := range []bool{false, true} {
				stdout, stderr := driveAs(t, path, words, json, lines...)
				for _, text := range []string{stdout, stderr} {
					if at := steering(text); at >= 0 {
						t.Errorf("json %v: %q", json, text[max(0, at-80):min(len(text), at+20)])
					}
				}
			}
		})
	}
}

func drive(t *testing.T, path string, words []string, lines ...string) (stdout, stderr string) {
	return driveAs(t, path, words, false, lines...)
}

// driveAs runs lines over the core at path with words made hostile.
func driveAs(t *testing.T, path string, words []string, json bool, lines ...string) (stdout, stderr string) {
	t.Helper()
	var o, e bytes.Buffer
	s, err := coredbg.Open(path, coredbg.Options{Stdout: &o, Stderr: &e})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if p := s.Process; len(words) > 0 {
		spoil(p.Space, words)
		for _, th := range p.Threads {
			th.Name = string(unfriendly(len(th.Name) + 6))
		}
		p.PSArgs, p.Name = string(unfriendly(20)), string(unfriendly(9))
	}
	s.JSON = json
	for _, line := range lines {
		for part := range strings.SplitSeq(line, "; ") {
			s.Run(context.Background(), part)
		}
	}
	s.Out.Flush()
	return o.String(), e.String()
}

// unfriendly returns n bytes that a terminal obeys: as Latin-1, which most
// strings of the runtimes are, and partly as UTF-8.
func unfriendly(n int) []byte {
	const all = "\x1b[2J\x9b31m\x1b]0;t\a\x85\xc2\x9b\b\r\xe2\x80\xae\x7f\xff"
	return []byte(strings.Repeat(all, n/len(all)+1))[:n]
}

// maxSpoiled is the size of the largest segment that is changed, in bytes.
const maxSpoiled = 8 << 20

// spoil replaces words in the memory of a process, in bytes and in UTF-16. Unreadable memory becomes
// zeros.
func spoil(space *core.Space, words []string) {
	var old []string
	for _, w := range words {
		bad := unfriendly(len(w))
		var wide, badWide []byte
		for i := range len(w) {
			wide, badWide = append(wide, w[i], 0), append(badWide, bad[i], 0)
		}
		old = append(old, w, string(bad), string(wide), string(badWide))
	}
	swap := strings.NewReplacer(old...)
	segs := space.Segments()
	for i := range segs {
		s := &segs[i]
		if s.Kind != core.SegCore || s.Size() > maxSpoiled || s.Prot&core.Exec != 0 {
			continue
		}
		data := make([]byte, s.Size())
		for at := uint64(0); at < s.Size(); at += 4096 {
			space.ReadAt(data[at:min(at+4096, s.Size())], s.Start+core.Addr(at))
		}
		s.Src, s.Off = core.Bytes(swap.Replace(string(data))), 0
	}
}

// steering returns where text has something that a terminal obeys, or -1.
func steering(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") || r < ' ' && r != '\n' && r != '\t' ||
			0x7f <= r && r < 0xa0 || 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e ||
			0x2060 <= r && r <= 0x206f || r == 0xfeff {
			return i
		}
	}
	return -1
}
