package export

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/triage"
)

// schemas list the requirements of the published schemas, with types: a path, with [] for each element
// of a list, then "?" if it may be absent or null, and a type: string, number, integer, bool, object,
// list, or a pattern. A path is required if its container is there.
var schemas = map[string]string{
	// getsentry/sentry-data-schemas, relay/event.schema.json: the documents of all bundles were valid
	// by it (2026-11). These are its "required" fields, and the fields that Sentry's documentation of
	// the event payload asks for.
	"sentry": `
event_id                                   ^[0-9a-f]{32}$
timestamp                                  ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$
platform                                   ^native$
level                                      ^fatal$
sdk.name                                   string
sdk.version                                string
fingerprint?                               list
threads.values[].id                        integer
threads.values[].stacktrace?.frames        list
exception.values[].type                    string
exception.values[].value                   string
exception.values[].mechanism.type          string
exception.values[].stacktrace?.frames[].instruction_addr ^0x[0-9a-f]{8,16}$
exception.values[].stacktrace?.frames[].in_app bool
exception.values[].stacktrace?.frames[].lineno? integer
debug_meta.images[].type                   ^(elf|macho)$
debug_meta.images[].debug_id               ^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$
debug_meta.images[].code_file              string
debug_meta.images[].code_id                ^[0-9a-f]+$
debug_meta.images[].image_addr             ^0x[0-9a-f]+$
debug_meta.images[].image_size             integer`,
	// rust-minidump, minidump-processor/json-schema.md: nothing is required, all may be
	// null; types and the words of enumerations are fixed.
	"breakpad": `
status                                     ^OK$
pid                                        integer
crash_info.type?                           string
crash_info.address?                        ^0x[0-9a-f]{8,16}$
crash_info.crashing_thread?                integer
crash_info.assertion?                      string
system_info.os                             ^(Linux|Mac OS X|unknown)$
system_info.cpu_arch                       ^(x86|amd64|arm|arm64|ppc64|unknown)$
thread_count                               integer
threads[].thread_name?                     string
threads[].frame_count                      integer
threads[].frames[].frame                   integer
threads[].frames[].trust                   ^(context|cfi|frame_pointer|scan)$
threads[].frames[].offset                  ^0x[0-9a-f]{8,16}$
threads[].frames[].module?                 string
threads[].frames[].module_offset?          ^0x[0-9a-f]{8,16}$
threads[].frames[].function?               string
threads[].frames[].function_offset?        ^0x[0-9a-f]{8,16}$
threads[].frames[].file?                   string
threads[].frames[].line?                   integer
threads[].frames[].missing_symbols         bool
crashing_thread?.threads_index             integer
crashing_thread?.registers                 object
crashing_thread?.frames                    list
main_module                                integer
modules[].base_addr                        ^0x[0-9a-f]{8,16}$
modules[].end_addr                         ^0x[0-9a-f]{8,16}$
modules[].debug_file                       string
modules[].debug_id?                        ^[0-9A-F]{33}$
modules[].filename                         string
modules[].code_id?                         ^[0-9a-f]+$
modules[].missing_symbols                  bool
modules_contains_cert_info                 bool
unloaded_modules                           list`,
	// abrt/faf, src/pyfaf/ureport.py and problemtypes/core.py: what their checkers call
	// mandatory, with their patterns.
	"ureport": `
ureport_version                            integer
reason                                     string
reporter.name                              ^[a-zA-Z0-9 ]+$
reporter.version                           ^[a-zA-Z0-9_.\- ]+$
os.name                                    string
os.version                                 ^[a-zA-Z0-9_.\-+~]+$
os.architecture                            ^[a-zA-Z0-9_]+$
packages                                   list
problem.type                               ^core$
problem.signal                             integer
problem.component                          ^[a-zA-Z0-9\-._]+$
problem.executable                         string
problem.user.root                          bool
problem.user.local                         bool
problem.stacktrace[].crash_thread          bool
problem.stacktrace[].frames[].address      integer
problem.stacktrace[].frames[].build_id_offset integer
problem.stacktrace[].frames[].file_name    string
problem.stacktrace[].frames[].build_id?    ^[a-fA-F0-9]+$
problem.stacktrace[].frames[].function_name? string`,
	// OpenTelemetry: opentelemetry-proto logs/v1 in its JSON mapping (64-bit integers are
	// strings), and the semantic conventions for exceptions in logs: exception.type or
	// exception.message is required.
	"otel": `
resourceLogs[].resource.attributes[].key   string
resourceLogs[].resource.attributes[].value object
resourceLogs[].scopeLogs[].scope.name      string
resourceLogs[].scopeLogs[].logRecords[].timeUnixNano? ^\d+$
resourceLogs[].scopeLogs[].logRecords[].severityNumber integer
resourceLogs[].scopeLogs[].logRecords[].severityText string
resourceLogs[].scopeLogs[].logRecords[].body.stringValue string
resourceLogs[].scopeLogs[].logRecords[].attributes[].key string
resourceLogs[].scopeLogs[].logRecords[].attributes[].value.stringValue? string
resourceLogs[].scopeLogs[].logRecords[].attributes[].value.intValue? ^\d+$`,
	// oasis-tcs/sarif-spec, sarif-2.1/schema/sarif-schema-2.1.0.json: the log of all bundles
	// was valid by it (2026-11); its "required" and enumerations.
	"sarif": `
version                                    ^2\.1\.0$
runs[].tool.driver.name                    string
runs[].tool.driver.rules[].id              string
runs[].invocations[].executionSuccessful   bool
runs[].invocations[].toolExecutionNotifications[].message.text string
runs[].results[].message.text              string
runs[].results[].level                     ^(none|note|warning|error)$
runs[].results[].kind                      ^(fail|informational)$
runs[].results[].partialFingerprints?      object
runs[].results[].locations?                list
runs[].results[].stacks[].frames[].location object
runs[].results[].stacks[].frames[].location.physicalLocation?.artifactLocation?.uri ^[^ <>"{}|\\^]+$
runs[].results[].stacks[].frames[].location.physicalLocation?.region?.startLine integer
runs[].results[].stacks[].frames[].location.physicalLocation?.address?.absoluteAddress integer`,
}

// conforms calls fail for each part of a document that does not match a schema.
func conforms(t *testing.T, doc any, schema string) {
	for row := range strings.Lines(strings.TrimSpace(schema)) {
		path, want, _ := strings.Cut(strings.TrimSpace(row), " ")
		walkPath(t, doc, strings.Split(path, "."), path, strings.TrimSpace(want))
	}
}

func walkPath(t *testing.T, v any, parts []string, path, want string) {
	if len(parts) == 0 {
		if !isOf(v, want) {
			t.Errorf("%s: %v is not %s", path, v, want)
		}
		return
	}
	key, optional := strings.CutSuffix(parts[0], "?")
	key, each := strings.CutSuffix(key, "[]")
	o, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s: what holds %s is not an object", path, key)
		return
	}
	x, there := o[key]
	switch {
	case (!there || x == nil) && optional:
	case !there || x == nil:
		t.Errorf("%s: %s is absent", path, key)
	case each:
		list, ok := x.([]any)
		if !ok {
			t.Errorf("%s: %s is not a list", path, key)
		}
		for _, e := range list {
			walkPath(t, e, parts[1:], path, want)
		}
	default:
		walkPath(t, x, parts[1:], path, want)
	}
}

func isOf(v any, want string) bool {
	switch x := v.(type) {
	case string:
		return want == "string" || want[0] == '^' && regexp.MustCompile(want).MatchString(x)
	case json.Number:
		return want == "number" || want == "integer" && !strings.ContainsAny(x.String(), ".eE-")
	case bool:
		return want == "bool"
	case []any:
		return want == "list"
	case map[string]any:
		return want == "object"
	}
	return false
}

// bundles are cores of native code, of a static program, of managed languages and of another
// system.
var bundles = []string{"segv", "null", "threads", "exception", "rust", "aarch64-pac", "art-11", "art-armhf",
	"macos-arm64", "node-16-fatal"}

// TestFormats: each document is as its schema has it, and says what the core does.
func TestFormats(t *testing.T) {
	for _, name := range bundles {
		if testing.Short() && strings.HasPrefix(name, "node") {
			continue
		}
		s, err := coredbg.Open("../testdata/cores/"+name+".cdb",
			coredbg.Options{Sysroot: t.TempDir(), DebugDirs: []string{t.TempDir()}})
		if err != nil {
			t.Fatal(err)
		}
		l := triage.NewLine(t.Context(), &s.Target)
		l.Core, l.SHA256, l.Modified = name+" <x>", strings.Repeat("0a", 32), "2026-11-23T00:00:00Z"
		for kind, f := range Formats() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				made, err := f.Make(t.Context(), s, l)
				if err != nil {
					t.Fatal(err)
				}
				b, err := json.Marshal(made)
				if err != nil {
					t.Fatal(err)
				}
				if f.Join != nil {
					b, err = json.Marshal(f.Join([]json.RawMessage{b},
						[]*triage.Line{{Core: "poison", Status: triage.Timeout, Error: "slow"}}))
					if err != nil {
						t.Fatal(err)
					}
				}
				d := json.NewDecoder(strings.NewReader(string(b)))
				d.UseNumber()
				var doc any
				if err := d.Decode(&doc); err != nil {
					t.Fatal(err)
				}
				conforms(t, doc, schemas[kind])
				title, _ := json.Marshal(l.Title)
				if kind != "breakpad" && !strings.Contains(string(b), string(title)) {
					t.Errorf("the title %q is not in it", l.Title)
				}
				if name := l.Thread.Frames[len(l.Thread.Frames)/2].Name; !strings.Contains(string(b),
					fmt.Sprintf("%.8s", name)) {
					t.Errorf("the frame %q is not in it", name)
				}
			})
		}
		s.Close()
	}
	if len(schemas) != len(Formats()) {
		t.Errorf("%d schemas of %d formats", len(schemas), len(Formats()))
	}
}

// TestDebugID: the example of Breakpad's documentation of build-ids in ELF files.
func TestDebugID(t *testing.T) {
	s, err := coredbg.Open("../testdata/cores/segv.cdb", coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &crash{process: s.Process}
	id := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	if got := c.debugID(id, false); got != "0403020106050807090a0b0c0d0e0f10" {
		t.Error(got)
	}
	if got := c.debugID(id[:16], true); got != "0102030405060708090a0b0c0d0e0f10" {
		t.Error(got)
	}
	if got := c.debugID(id[:4], false); got != "04030201000000000000000000000000" {
		t.Error(got)
	}
}

// TestSarifLocation: an address that SARIF's integers cannot hold is left out.
func TestSarifLocation(t *testing.T) {
	c := &crash{}
	for pc, want := range map[core.Addr]string{
		0x1000:  `{"physicalLocation":{"address":{"absoluteAddress":4096,"kind":"function"}}}`,
		1 << 63: `{}`,
	} {
		b, err := json.Marshal(c.sarifLocation(&stack.Frame{PC: pc}))
		if err != nil || string(b) != want {
			t.Errorf("%v: %s, %v; want %s", pc, b, err, want)
		}
	}
}

// TestOwn: what Node brings is not the program's, whatever its files are called.
func TestOwn(t *testing.T) {
	c := &crash{Line: &triage.Line{Exe: "/bin/app"}}
	for _, x := range []struct {
		frame stack.Frame
		want  bool
	}{
		{stack.Frame{Kind: runtimes.JS, File: "/app/x.js"}, true},
		{stack.Frame{Kind: runtimes.JS, File: "node:internal/timers"}, false},
		{stack.Frame{Kind: runtimes.JS, File: "internal/timers.js"}, false},
		{stack.Frame{Kind: runtimes.Native, Module: "/bin/app"}, true},
		{stack.Frame{Kind: runtimes.Native, Module: "/lib/libc.so.6"}, false},
		{stack.Frame{Kind: runtimes.Native}, false},
	} {
		if got := c.own(&x.frame); got != x.want {
			t.Errorf("%+v: %t", x.frame, got)
		}
	}
}
