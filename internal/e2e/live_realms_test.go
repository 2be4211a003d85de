package e2e

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveRealms: the realms that scripts of a program have run in are known by them: one in
// each of the four isolates of workers.js, one of embedded.mjs.
func TestLiveRealms(t *testing.T) {
	for pattern, truth := range map[string]struct {
		script *regexp.Regexp
		realms int
	}{
		"node-*-workers/core": {regexp.MustCompile(`/workers\.js$`), 4},
		"embedded-*/core":     {regexp.MustCompile(`embedded\.m?js$|/page\.html$`), 1},
		"crashpad-*/core":     {regexp.MustCompile(`/embedded\.mjs$`), 1},
	} {
		t.Run(filepath.Dir(pattern), func(t *testing.T) {
			for _, path := range coretest.Live(t, pattern) {
				t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
					t.Parallel()
					isolates, seen := map[string]bool{}, 0
					type realm struct {
						Isolate string
						Scripts []struct{ Name string }
					}
					all := records[realm](t, openLive(t, path), "::realms")
					for _, r := range all {
						has := func(x struct{ Name string }) bool { return truth.script.MatchString(x.Name) }
						if !slices.ContainsFunc(r.Scripts, has) {
							continue
						}
						seen++
						isolates[r.Isolate] = true
					}
					if seen != truth.realms || len(isolates) != truth.realms || isolates[""] && truth.realms > 1 {
						t.Errorf("%d realms of %s in the isolates %v, want %d: %+v", seen, truth.script, isolates,
							truth.realms, all)
					}
				})
			}
		})
	}
}

// TestLiveRealmNames: what the embedder knows a realm by is what the program or the configuration
// of the embedder says: addresses of Deno's realms, services of workerd, origins of Chromium.
func TestLiveRealmNames(t *testing.T) {
	type realm struct {
		Global, Service, Location, Origin string
		URL, Kind                         string
		Why                               string `json:"url_unknown"`
		Scripts                           []struct{ Name string }
	}
	for _, pattern := range []string{"deno-realms-*/core", "workerd-services-*/core", "*-chromium*/core"} {
		t.Run(filepath.Dir(pattern), func(t *testing.T) {
			for _, path := range coretest.Live(t, pattern) {
				t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
					t.Parallel()
					var truth struct {
						Realms   map[string]string // addresses by the class of the global object
						Services map[string]string // names by the script of the module
					}
					readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
					all := records[realm](t, openLive(t, path), "::realms")
					realms, services, origins := map[string]string{}, map[string]string{}, map[string]bool{}
					for _, r := range all {
						if r.Location != "" {
							realms[r.Global] = r.Location
						}
						for _, s := range r.Scripts {
							if _, ok := truth.Services[s.Name]; ok {
								services[s.Name] = r.Service
							}
							if strings.HasSuffix(s.Name, "/page.html") {
								origins[r.Origin] = true
							}
						}
					}
					for _, r := range all {
						if len(truth.Realms)+len(truth.Services) > 0 && (r.URL != "" || r.Kind != "" || r.Why != "") {
							t.Errorf("a realm of no browser has a document: %+v", r)
						}
					}
					switch {
					case len(truth.Realms) > 0:
						if !maps.Equal(realms, truth.Realms) {
							t.Errorf("the realms are at %v, want %v", realms, truth.Realms)
						}
					case len(truth.Services) > 0:
						if !maps.Equal(services, truth.Services) {
							t.Errorf("the services are %v, want %v", services, truth.Services)
						}
					case len(origins) != 1 || !origins["file://"]: // page.html was opened from a disk
						t.Errorf("page.html has the origins %v in %+v", origins, all)
					}
				})
			}
		})
	}
}
