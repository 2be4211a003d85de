package fit

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// V8 without its debugging constants is recognized by the contents of the process: symbols of v8::internal,
// texts that every V8 has among its constants, with its version, and pages whose objects begin with V8's maps.

// phrases are texts that V8 has among its constants in all versions from 7.4 to 15.8,
// each a C string of its own. A program that has only heard of V8 has few of them.
var phrases = []string{
	"Ineffective mark-compacts near heap limit", "CALL_AND_RETRY_LAST", "V8.GCScavenger", "V8.GCFinalizeMC",
	"v8::Isolate::Dispose()", "V8.MemoryExternalFragmentationTotal", "invalid table size",
	"Cannot create a handle without a HandleScope",
}

// wantPhrases is how many of them are evidence.
const wantPhrases = 4

// versionText is a version as V8 prints it, with four numbers or, where the last is 0,
// three; base/version.cc, Version::GetString.
// Minor versions have had one digit since 5.0. Addresses of name servers look alike,
// such as 9.9.9.11, but V8 has no release with a build number as low.
var versionText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((\d{1,2})\.\d\.(\d{2,4})(?:\.\d{1,4})?(?:-[A-Za-z][A-Za-z0-9.]{0,23})?)`)
})

// recognize returns V8 if the process has it and no image has its constants, and nil
// if nothing speaks of it.
func recognize(ctx context.Context, t runtimes.Target) (*Undecoded, error) {
	u := &Undecoded{}
	var missing []string // images that could not be looked at
	for _, m := range layout.ImagesByRank(t) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !m.Exe && m.End-m.Start < layout.MinImage {
			continue
		}
		found, version, whole := evidence(t, m)
		if found {
			u.module, u.version = m, cmp.Or(layout.SymbolVersion(t, m), version)
			break
		}
		if !whole {
			missing = append(missing, path.Base(m.Path))
		}
	}
	if u.module == nil && len(missing) == 0 {
		return nil, nil // every image was read: there is none
	}
	u.heap = heapTagging(ctx, t)
	switch {
	case u.module == nil && u.heap.width == 0:
		return nil, ctx.Err()
	case u.module == nil:
		u.because("there are pages of its heap, but the image with its constants could not be read: %s",
			strings.Join(missing, ", "))
		u.withoutImage(ctx, t)
	case u.heap.width == 0 && heapLeftOut(t.Process) != "":
		u.because("%s", heapLeftOut(t.Process))
	default:
		u.because("the image does not export the v8dbg_ constants, which describe the layout of objects")
	}
	if u.heap.width == 0 {
		u.crashKeys(t.Process)
	}
	if u.heap.width == 4 {
		u.because("its pointers are compressed to 4 bytes")
	}
	return u, ctx.Err()
}

// withoutImage describes V8 as far as possible if no part of its image is at hand.
func (u *Undecoded) withoutImage(ctx context.Context, t runtimes.Target) {
	if u.version = stated(ctx, t.Process); u.version == "" {
		u.because("nothing in memory says which version it is")
		return
	}
	u.module = layout.ImagesByRank(t)[0]
	u.builtins = embedded.Find(t.Process, u.module)
	if m := t.Process.Module(u.builtins.Start); m != nil && m != u.module {
		u.module, u.builtins = m, embedded.Find(t.Process, m)
	}
}

// evidence looks for V8 in an image: found says that it is there, whole that all of
// its constants could be read.
func evidence(t runtimes.Target, m *core.Module) (found bool, version string, whole bool) {
	symbols := 0
	_ = t.Symbols.Prefix(m, "_ZN2v88internal7Isolate", func(sym.Symbol) bool {
		symbols++
		return symbols < wantPhrases
	})
	found = symbols >= wantPhrases
	// Most images belong to other programs: two texts are enough to see that.
	seen := map[string]core.Addr{}
	whole = embedded.EachConstant(t.Process, m,
		func(at core.Addr, data []byte) { lookFor(at, data, phrases[:anchors], seen) })
	if !found && len(seen) == 0 {
		return false, "", whole
	}
	versions := map[string]core.Addr{}
	embedded.EachConstant(t.Process, m, func(at core.Addr, data []byte) {
		lookFor(at, data, phrases[anchors:], seen)
		for i := range data {
			// A single expression takes a second for an image of 100 MB. Texts of Rust have no zero byte at
			// their end, so other data may come before.
			if i+1 < len(data) && !printable(data[i]) && '0' <= data[i+1] && data[i+1] <= '9' {
				if text := versionAt(data[i+1 : min(i+embedded.Overlap, len(data))]); text != "" {
					versions[text] = at + core.Addr(i+1)
				}
			}
		}
	})
	if !found && len(seen) < wantPhrases {
		return false, "", whole
	}
	version = onlyVersion(versions)
	for text, at := range versions {
		seen[text] = at
	}
	// A copy of the process is to have what was found.
	for text, at := range seen {
		_, _ = t.Process.Space.ReadAt(make([]byte, len(text)+2), at-1)
	}
	return true, version, whole
}

// onlyVersion returns the version that an image has among its texts, "" if there are
// several. Those of three numbers count if there is none of four: other programs have such.
func onlyVersion(texts map[string]core.Addr) string {
	for dots := 3; dots >= 2; dots-- {
		var found []string
		for text := range texts {
			number, _, _ := strings.Cut(text, "-")
			if strings.Count(number, ".") == dots {
				found = append(found, text)
			}
		}
		if len(found) > 0 {
			if len(found) > 1 {
				return ""
			}
			return found[0]
		}
	}
	return ""
}

func printable(c byte) bool { return ' ' <= c && c < 0x7f }

// versionAt returns the version that data begins with, before a zero byte.
func versionAt(data []byte) string {
	x := versionText().FindSubmatchIndex(data)
	if x == nil {
		return ""
	}
	major, _ := strconv.Atoi(string(data[x[4]:x[5]]))
	build, _ := strconv.Atoi(string(data[x[6]:x[7]]))
	if end := x[3]; end < len(data) && data[end] == 0 && major >= 5 && major < mostMajor && build >= leastBuild {
		return string(data[x[2]:end])
	}
	return ""
}

// anchors is how many of the phrases are looked for first.
const anchors = 2

// lookFor adds those texts to seen that are C strings in data, with their addresses.
//
// It looks for the byte of a text that is rarest in the data: where one of its first bytes is a frequent one,
// as "C" is in .eh_frame, bytes.Index takes several times as long.
func lookFor(at core.Addr, data []byte, texts []string, seen map[string]core.Addr) {
	var count [256]int
	for i := 0; i < len(data); i += 61 {
		count[data[i]]++
	}
	for _, p := range texts {
		rare := 0
		for k := range len(p) {
			if count[p[k]] < count[p[rare]] {
				rare = k
			}
		}
		for from := rare + 1; seen[p] == 0 && from < len(data); from++ {
			i := bytes.IndexByte(data[from:], p[rare])
			if i < 0 {
				break
			}
			from += i
			begin := from - rare
			end := begin + len(p)
			if end < len(data) && data[begin-1] == 0 && data[end] == 0 && string(data[begin:end]) == p {
				seen[p] = at + core.Addr(begin)
			}
		}
	}
}
