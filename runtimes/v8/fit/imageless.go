package fit

import (
	"context"
	"regexp"
	"strconv"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// Where V8's image is not at hand, as for a core that was brought from another machine
// alone, the process still has the heap, the stacks and, in texts, the version: V8's own buffer for
// it (api/api.cc: V8::GetVersion), the properties for programs (process.versions.v8, Deno.version.v8), or the
// version of Chromium in a user agent, which has V8's in it. A table of that version is tried as on a
// stripped image; its builtins are the ones that an isolate calls.

// statedVersion is a version of V8, which may have its embedder's part, or one of Chromium.
var statedVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\d{1,2}\.\d\.\d{2,4}\.\d{1,4})(-(?:node|electron|rusty)(?:\.\d{1,3})?)?|Chrome/(\d{2,3})\.\d{1,4}\.\d{1,5}\.\d{1,4})(?:[^0-9A-Za-z.-]|$)`)
})

const (
	// statedLength is more than the length of a version.
	statedLength = 64
	statedChunk  = 1 << 20
	// shortStated is as long as the shortest version: "9.0.16.1", and a character after it.
	shortStated = 9
	// Versions of V8 are below the one, and have had builds from the other on.
	mostMajor, leastBuild = 60, 16
)

// stated returns the version of V8 in texts in the memory of a process. It is "" if there is none, or several.
// Versions with an embedder's part come first, as network addresses look like the others, then other versions
// of V8, then Chromium's.
func stated(ctx context.Context, p *core.Process) string {
	var found [3]map[string]bool
	for i := range found {
		found[i] = map[string]bool{}
	}
	buf := make([]byte, statedChunk)
	for _, s := range p.Space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 {
			continue
		}
		for at := s.Start; at < s.End && at >= s.Start && ctx.Err() == nil; {
			if at = s.NextData(at); at >= s.End {
				break
			}
			n, next := embedded.Peek(p.Space, buf[:min(s.End-at, statedChunk)], at)
			if n == len(buf) {
				// A text near the end of a chunk is whole in the next one, with the byte before it.
				eachStated(buf, statedChunk-statedLength, &found)
				at += statedChunk - statedLength - 1
				continue
			}
			eachStated(buf[:n], n, &found)
			at = max(next, at+1)
		}
	}
	for _, versions := range found {
		if len(versions) == 1 {
			for v := range versions {
				return v
			}
		}
	}
	return ""
}

// eachStated adds the versions that begin in data before an offset: with an embedder's part, without one, and those
// of V8 in Chromium's.
func eachStated(data []byte, before int, found *[3]map[string]bool) {
	for i := 1; i < before && i+shortStated <= len(data); i++ {
		c, last := data[i], data[i-1]
		switch {
		case c == 'C' && string(data[i:i+7]) == "Chrome/":
		case c < '0' || c > '9' || data[i+1] != '.' && data[i+2] != '.', last >= '0' && last <= '9' ||
			last == '.' || last == '-':
			continue
		}
		x := statedVersion().FindSubmatch(data[i:min(i+statedLength, len(data))])
		switch {
		case x == nil:
		case len(x[2]) > 0:
			found[0][string(x[1])+string(x[2])] = true
		case len(x[1]) > 0:
			// The bounds tell V8's versions from other programs' versions of four numbers.
			if v, ok := layout.ParseVersion(string(x[1])); ok && v.AtLeast(7, 0) && v.Major < mostMajor &&
				v.Build >= leastBuild {
				found[1][string(x[1])] = true
			}
		default:
			// Chromium's major version is V8's without the point.
			if n, _ := strconv.Atoi(string(x[3])); n >= 80 {
				found[2][strconv.Itoa(n/10)+"."+strconv.Itoa(n%10)] = true
			}
		}
	}
}
