package hotspot_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// machineFacts are lines of a thread dump: its heading, and what the heap uses in kilobytes.
var (
	dumpTitle = regexp.MustCompile(`(?m)^Full thread dump (.+) \((\S+)(?: .*)? mode(?:, .*)?\)`)
	youngUsed = regexp.MustCompile(`(?:PSYoungGen|def new generation|DefNew) +total (\d+)K, used (\d+)K`)
	oldUsed   = regexp.MustCompile(`(?:ParOldGen|tenured generation|Tenured) +total (\d+)K, used (\d+)K`)
	// youngRegions are regions of G1. All but the survivors are eden.
	youngRegions = regexp.MustCompile(`(\d+) young \(\d+K\), (\d+) survivors`)
	edenRegions  = regexp.MustCompile(`(\d+) eden \(\d+M\), \d+ survivor `) // JDK 27
	firstTotal   = regexp.MustCompile(`garbage-first heap +total(?: reserved \d+K, committed)? (\d+)K`)
)

// The lines of the heaps of other collectors.
var (
	zCapacity           = regexp.MustCompile(`(?m)^ *ZHeap +used \d+M, capacity (\d+)M`)
	shenandoahCommitted = regexp.MustCompile(`(?m)^ *\d+[KM] max, \d+[KM] soft max, (\d+)K committed`)
)

// TestLiveMachine compares what the virtual machine is with what it has printed of itself: name, version, and
// what is used of the heap; and its flags with the arguments that it was given.
func TestLiveMachine(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			o := coredbg.Options{}
			grid := strings.HasPrefix(filepath.Base(dir), "javagrid-")
			if grid || strings.HasPrefix(filepath.Base(dir), "jvm-") {
				o.Sysroot, o.Search = filepath.Join(dir, "root"), []string{filepath.Join(dir, "root")}
			}
			s, err := coredbg.Open(filepath.Join(dir, "core"), o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			m := hotSpot(t, s).Machine(t.Context())
			text := readText(t, filepath.Join(dir, "out.txt"))
			title := dumpTitle.FindStringSubmatch(text)
			if title == nil || m.Name != title[1] || m.Version != title[2] {
				t.Errorf("it is %s %s, want %q", m.Name, m.Version, title)
			}
			if m.Vendor == "" || m.Built == "" || len(m.Problems) > 0 || len(m.Properties) < 30 {
				t.Errorf("vendor %q, built %q, %d properties, problems %q", m.Vendor, m.Built,
					len(m.Properties), m.Problems)
			}
			reserved := uint64(24 << 20) // -Xmx24m
			if grid {
				reserved = 32 << 20
			}
			checkHeaps(t, m, text, reserved)
			checkFlags(t, m)
			checkMetaspace(t, m, hotSpot(t, s).Java(), text)
			if grid {
				checkLoaders(t, m, readText(t, filepath.Join(dir, "vm.txt")))
				checkSaid(t, m, readText(t, filepath.Join(dir, "vm.txt")))
			}
		})
	}
}

// checkHeaps compares the parts of the heap with the end of the dump, and its size with the one of -Xmx.
func checkHeaps(t *testing.T, m *runtimes.JavaMachine, text string, reserved uint64) {
	t.Helper()
	used := map[string]uint64{}
	for _, h := range m.Heaps {
		used[h.Name] = h.Used
	}
	number := func(at *regexp.Regexp, i int) uint64 {
		f := at.FindStringSubmatch(text)
		if f == nil {
			t.Fatalf("the dump has no %v", at)
		}
		n, _ := strconv.ParseUint(f[i], 10, 64)
		return n
	}
	switch m.Collector {
	case "G1":
		if got, want := m.Heaps[0].Committed>>10, number(firstTotal, 1); got != want {
			t.Errorf("G1: %d KiB are committed, want %d; %v", got, want, m.Heaps)
		}
		// JDK 8 counts the region that is being filled once it is full.
		eden := uint64(0)
		if edenRegions.MatchString(text) {
			eden = number(edenRegions, 1)
		} else {
			eden = number(youngRegions, 1) - number(youngRegions, 2)
		}
		if eden > 1 && used["eden"] == 0 || eden == 0 && used["eden"] > 0 {
			t.Errorf("G1: eden has %d regions: %v", eden, m.Heaps)
		}
	case "Serial", "Parallel":
		if got, want := (used["eden"]+used["from"]+used["to"])>>10, number(youngUsed, 2); got != want {
			t.Errorf("%s: %d KiB of the young generation are used, want %d", m.Collector, got, want)
		}
		if got, want := used["old"]>>10, number(oldUsed, 2); got != want {
			t.Errorf("%s: %d KiB of the old generation are used, want %d", m.Collector, got, want)
		}
	case "Z", "Z, generational":
		if got, want := m.Heaps[0].Committed>>20, number(zCapacity, 1); got != want {
			t.Errorf("%s: %d MiB are committed, want %d; %v", m.Collector, got, want, m.Heaps)
		}
	case "Shenandoah":
		if got, want := m.Heaps[0].Committed>>10, number(shenandoahCommitted, 1); got != want {
			t.Errorf("%s: %d KiB are committed, want %d; %v", m.Collector, got, want, m.Heaps)
		}
	default:
		t.Errorf("collector %q", m.Collector)
	}
	if got := m.Heaps[0].Reserved; got != reserved || len(m.Code) == 0 || m.Code[0].Used == 0 {
		t.Errorf("of the heap %d bytes are reserved, want the %d of -Xmx; code %v", got, reserved, m.Code)
	}
}

var (
	metaspaceLine = regexp.MustCompile(`(?m)^ Metaspace +used (\d+)K,(?: capacity \d+K,)? committed (\d+)K, reserved (\d+)K\n +class space +used (\d+)K,(?: capacity \d+K,)? committed (\d+)K, reserved (\d+)K`)
	loaderLines   = regexp.MustCompile(`(?m)^ *\d+: CLD 0x0*([0-9a-f]+): .*\n(?:.*\n)*? +Both: .* committed, +(\d+) bytes \([^)]*\) used,`)
)

// checkMetaspace compares the memory for classes with the end of the dump. It is not read before JDK 16.
func checkMetaspace(t *testing.T, m *runtimes.JavaMachine, java int, text string) {
	t.Helper()
	if java < 16 {
		if m.Metaspace != nil {
			t.Errorf("metaspace %v", m.Metaspace)
		}
		return
	}
	f := metaspaceLine.FindStringSubmatch(text)
	if f == nil {
		t.Fatal("the dump has no metaspace")
	}
	var got []string
	for _, s := range m.Metaspace {
		for _, n := range []uint64{s.Used, s.Committed, s.Reserved} {
			got = append(got, strconv.FormatUint(n>>10, 10))
		}
	}
	if !slices.Equal(got, f[1:]) {
		t.Errorf("used, committed and reserved of the metaspace, and of the class space: %q KiB, want %q", got, f[1:])
	}
}

// checkLoaders compares what class loaders use with the output of jcmd's VM.metaspace, which has them by
// their ClassLoaderData. The virtual machine has gone on since: a few of them may use more.
func checkLoaders(t *testing.T, m *runtimes.JavaMachine, text string) {
	t.Helper()
	if m.Metaspace == nil {
		return
	}
	used := map[string]uint64{}
	for _, l := range m.Loaders {
		used[strconv.FormatUint(uint64(l.Data), 16)] = l.Used
	}
	equal := 0
	list := loaderLines.FindAllStringSubmatch(text, -1)
	for _, f := range list {
		want, _ := strconv.ParseUint(f[2], 10, 64)
		got, ok := used[f[1]]
		if !ok || got < want {
			t.Errorf("the loader of %s uses %d bytes, want %d", f[1], got, want)
		}
		if got == want {
			equal++
		}
	}
	t.Logf("%d of %d class loaders use what was printed", equal, len(list))
	if len(list) < 10 || equal < len(list)-4 {
		t.Errorf("%d of %d class loaders use what was printed, want all of ten or more, except for four",
			equal, len(list))
	}
}

// checkFlags looks for the flags of the arguments among those that were changed.
func checkFlags(t *testing.T, m *runtimes.JavaMachine) {
	t.Helper()
	n := 0
	for _, a := range m.Args {
		name, ok := strings.CutPrefix(a, "-XX:")
		if !ok {
			continue
		}
		value := "true"
		switch {
		case name[0] == '-':
			name, value = name[1:], "false"
		case name[0] == '+':
			name = name[1:]
		default:
			name, value, _ = strings.Cut(name, "=")
		}
		n++
		if strings.HasPrefix(name, "Dump") {
			continue // given twice by some
		}
		if !slices.ContainsFunc(m.Flags, func(f runtimes.JavaFlag) bool {
			return f.Name == name && f.Value == value && f.Origin == "command line"
		}) {
			t.Errorf("the flag %s = %s is not among those that were changed", name, value)
		}
	}
	if n < 2 {
		t.Errorf("arguments %q", m.Args)
	}
}

var (
	saidFlag     = regexp.MustCompile(`-XX:([+-]?)(\w+)(?:=(\S*))?`)
	saidProperty = regexp.MustCompile(`(?m)^([\w.]+)=(.*)$`)
	escaped      = regexp.MustCompile(`\\(.)`)
)

// checkSaid compares the changed flags, the system properties and the arguments with the output of jcmd: VM.flags,
// VM.system_properties and VM.command_line.
func checkSaid(t *testing.T, m *runtimes.JavaMachine, text string) {
	t.Helper()
	flags, arguments := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "jvm_args: "); ok {
			arguments = s
		}
		if s, ok := strings.CutPrefix(line, "java_command: "); ok && s != m.Command {
			t.Errorf("the program is %q, want %q", m.Command, s)
		}
		if !strings.HasPrefix(line, "-XX:") {
			continue
		}
		for _, f := range saidFlag.FindAllStringSubmatch(line, -1) {
			if flags[f[2]] = f[3]; f[1] != "" {
				flags[f[2]] = strconv.FormatBool(f[1] == "+")
			}
		}
	}
	if got := strings.Join(m.Args, " "); arguments == "" || got != arguments {
		t.Errorf("the arguments are %q, want %q", got, arguments)
	}
	for _, f := range m.Flags {
		want, ok := flags[f.Name]
		if delete(flags, f.Name); !ok || f.Value != want {
			t.Errorf("the flag %s is %s (%s), want %q", f.Name, f.Value, f.Origin, want)
		}
	}
	if len(flags) > 0 {
		t.Errorf("the flags %v are not among those that were changed", flags)
	}
	got, n := map[string]string{}, 0
	for _, p := range m.Properties {
		got[p.Name] = p.Value
	}
	for _, p := range saidProperty.FindAllStringSubmatch(text, -1) {
		want := escaped.ReplaceAllStringFunc(p[2], func(s string) string {
			return map[string]string{`\n`: "\n", `\t`: "\t", `\r`: "\r", `\f`: "\f"}[s] +
				strings.TrimLeft(s[1:], "ntrf")
		})
		if p[1] == "user.timezone" && want == "" {
			continue // the date above the list sets it
		}
		if n++; got[p[1]] != want {
			t.Errorf("the property %s is %q, want %q", p[1], got[p[1]], want)
		}
	}
	t.Logf("%d flags and %d properties", len(m.Flags), n)
	if n < 30 {
		t.Errorf("%d properties are compared, want 30", n)
	}
}
