package sym

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"coredbg/core"
)

// fake is an image of symbols alone, in one segment.
type fake struct {
	static, dynamic []core.ImageSymbol
	segs            []core.ImageSegment
}

func (f *fake) Path() string { return "/lib/fake.so.1" }
func (f *fake) Section(string) (core.Section, error) {
	return core.Section{}, core.ErrNoSection
}
func (f *fake) Segments() []core.ImageSegment {
	if f.segs != nil {
		return f.segs
	}
	return []core.ImageSegment{{Addr: 0, FileSize: 0x10000, MemSize: 0x10000, Prot: core.Read | core.Exec}}
}
func (f *fake) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	syms := f.static
	if dynamic {
		syms = f.dynamic
	}
	for _, s := range syms {
		if !yield(s) {
			break
		}
	}
	return nil
}

func fn(name string, value, size uint64) core.ImageSymbol {
	return core.ImageSymbol{Name: []byte(name), Value: value, Size: size, Kind: core.SymFunc, Global: true,
		Defined: true, Section: 1}
}

func local(s core.ImageSymbol) core.ImageSymbol {
	s.Global = false
	return s
}

func kind(k core.SymKind, s core.ImageSymbol) core.ImageSymbol {
	s.Kind = k
	return s
}

func TestLookup(t *testing.T) {
	abs := fn("absolute", 0x100, 0x1000)
	abs.Section = 0
	undef := fn("imported", 0x100, 0x1000)
	undef.Defined = false
	img := &fake{static: []core.ImageSymbol{
		abs, undef,
		fn("outer", 0x1000, 0x100), fn("inner", 0x1020, 0x10), kind(core.SymNone, fn("label", 0x1040, 0)),
		local(kind(core.SymNone, fn("$x", 0x1040, 0))), local(kind(core.SymNone, fn("$d.7", 0x1060, 0))),
		local(kind(core.SymNone, fn(".L12", 0x1070, 0))), local(kind(core.SymFile, fn("a.c", 0x1080, 0))),
		fn("over", 0x10f0, 0x20),
		fn("sizeless", 0x2000, 0), kind(core.SymNone, fn("next", 0x2100, 0)), fn("sized", 0x2200, 8),
		fn("__write", 0x3000, 8), fn("write", 0x3000, 8), local(fn("__GI_write", 0x3000, 8)),
		local(fn("wide", 0x3100, 0x20)), fn("narrow", 0x3100, 0x10),
		kind(core.SymNone, fn("marker", 0x3200, 0)), local(fn("typed", 0x3200, 4)),
		fn("memcpy@@GLIBC_2.14", 0x3300, 4),
		fn("huge", 0x8000, ^uint64(0)-0x10),
		kind(core.SymTLS, fn("tls", 0x18, 8)),
	}, dynamic: []core.ImageSymbol{fn("write", 0x3000, 8), fn("memcpy", 0x3300, 4), fn("only_dynamic", 0x3400, 4)}}
	const bias = 0x7f0000000000
	p, m := process(img, bias)
	tab := NewTable(p)
	for _, c := range []struct {
		at   core.Addr
		name string
		off  uint64
	}{
		{0x100, "", 0}, {0x18, "", 0},
		{0x1000, "outer", 0}, {0x101f, "outer", 0x1f}, {0x1020, "inner", 0}, {0x102f, "inner", 0xf},
		{0x1030, "outer", 0x30}, {0x1044, "outer", 0x44}, {0x1065, "outer", 0x65}, {0x10ef, "outer", 0xef},
		{0x10f0, "over", 0}, {0x10ff, "over", 0xf}, {0x110f, "over", 0x1f}, {0x1110, "", 0},
		{0x2000, "sizeless", 0}, {0x20ff, "sizeless", 0xff}, {0x21ff, "next", 0xff}, {0x2207, "sized", 7},
		{0x2208, "", 0},
		{0x3004, "write", 4}, {0x310f, "narrow", 0xf}, {0x3110, "wide", 0x10}, {0x3203, "typed", 3}, {0x3204, "", 0},
		{0x3301, "memcpy", 1}, {0x3403, "only_dynamic", 3},
		{0x9000, "huge", 0x1000}, {0x10000, "", 0},
	} {
		s, off, ok := tab.Lookup(bias + c.at)
		if s.Name != c.name || off != c.off || ok != (c.name != "") {
			t.Errorf("Lookup(%v) = %q+%#x, %v, want %q+%#x", c.at, s.Name, off, ok, c.name, c.off)
		}
		if ok && (s.Addr+core.Addr(off) != bias+c.at || s.Module != m) {
			t.Errorf("Lookup(%v): address %v in %v", c.at, s.Addr, s.Module)
		}
	}
	if s, ok := tab.Find("", "tls"); !ok || s.Addr != 0x18 || s.Kind != core.SymTLS {
		t.Errorf("Find(tls) = %+v, %v, want its offset", s, ok)
	}
	if s, ok := tab.Find("", "imported"); ok {
		t.Errorf("Find(imported) = %+v", s)
	}
	n := 0
	tab.Module(m, func(s Symbol) bool {
		if s.Name == "write" || s.Name == "memcpy" {
			n++
		}
		return true
	})
	if n != 2 {
		t.Errorf("write and memcpy stand %d times in both tables, want once each", n)
	}
}

// TestLookupInSecondMapping has a part of the file mapped once more elsewhere.
func TestLookupInSecondMapping(t *testing.T) {
	img := &fake{static: []core.ImageSymbol{fn("f", 0x11000, 0x10)},
		segs: []core.ImageSegment{{Addr: 0x10000, Off: 0x2000, FileSize: 0x3000, MemSize: 0x4000}}}
	p, m := process(img, 0x400000)
	m.Parts = []core.ModulePart{{Start: 0x410000, End: 0x413000, Off: 0x2000},
		{Start: 0x900000, End: 0x901000, Off: 0x3000}}
	m.Start, m.End = 0x410000, 0x901000
	tab := NewTable(p)
	for _, at := range []core.Addr{0x411004, 0x900004} {
		if s, off, ok := tab.Lookup(at); !ok || s.Name != "f" || off != 4 || s.Addr != at-4 {
			t.Errorf("Lookup(%v) = %+v + %d, %v", at, s, off, ok)
		}
	}
	if s, _, ok := tab.Lookup(0x900014); ok {
		t.Errorf("after the symbol: %+v", s)
	}
}

// TestThumb has a Thumb function: the lowest bit of its address is not part of
// it ("ELF for the Arm Architecture", 5.5.3).
func TestThumb(t *testing.T) {
	img := &fake{static: []core.ImageSymbol{fn("thumb", 0x1001, 0x10), kind(core.SymObject, fn("data", 0x2001, 4))}}
	p, _ := process(img, 0)
	p.Arch = core.ARM
	tab := NewTable(p)
	if s, off, ok := tab.Lookup(0x1000); !ok || s.Name != "thumb" || off != 0 {
		t.Errorf("Lookup(0x1000) = %q+%d, %v", s.Name, off, ok)
	}
	if s, _, ok := tab.Lookup(0x2000); ok {
		t.Errorf("Lookup(0x2000) = %q", s.Name)
	}
}

// TestAtOnce asks for everything from many goroutines before anything is known.
func TestAtOnce(t *testing.T) {
	p, m := process(&fake{static: []core.ImageSymbol{fn("main", 0x1000, 8), fn("_Z1fi", 0x2000, 8)}}, 0)
	tab := NewTable(p)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if s, _, ok := tab.Lookup(0x1004); !ok || s.Name != "main" {
				t.Errorf("Lookup = %q, %v", s.Name, ok)
			}
			if s, ok := tab.Find("", "f"); !ok || s.Addr != 0x2000 {
				t.Errorf("Find(f) = %v, %v", s.Addr, ok)
			}
			if got := tab.Demangle("_Z1fi", false); got != "f(int)" {
				t.Errorf("Demangle = %q", got)
			}
			tab.Lines(0x1004)
			tab.Prefix(m, "m", func(Symbol) bool { return true })
		})
	}
	wg.Wait()
}

func TestFind(t *testing.T) {
	img := &fake{static: []core.ImageSymbol{
		fn("main", 0x1000, 8), local(fn("twice", 0x1100, 8)), fn("twice", 0x1200, 8),
		fn("_ZN3foo3barEi", 0x2000, 8), fn("_ZN3foo3barEd", 0x2100, 8), local(fn("_ZN3foo3barEc", 0x1f00, 8)),
		fn("_Z5plainv", 0x2200, 8), fn("_ZN3FooC1Ev", 0x2300, 8), fn("_ZN3FoopsERKS_", 0x2400, 8),
		fn("_ZNSt6vectorIiSaIiEE9push_backERKi", 0x2500, 8),
		// tags of c++filt: table[abi:cxx11]
		fn("_Z5tableB5cxx11", 0x2800, 8), fn("_ZNKSt6locale4nameB5cxx11Ev", 0x2900, 8),
		fn("_ZN5crate4walk17h0123456789abcdefE", 0x2600, 8), fn("_RNvCs1234_7mycrate3run", 0x2700, 8),
	}}
	p, m := process(img, 0)
	for _, c := range []struct {
		module, name string
		want         core.Addr
	}{
		{"", "main", 0x1000}, {"fake", "main", 0x1000}, {"fake.so.1", "main", 0x1000},
		{"/lib/fake.so.1", "main", 0x1000},
		{"libc", "main", 0}, {"a.out", "main", 0}, {"", "fake`main", 0x1000}, {"", "fake`file.c`main", 0x1000},
		{"", "other`main", 0},
		{"", "twice", 0x1200}, {"", "", 0}, {"", "missing", 0},
		{"", "_ZN3foo3barEi", 0x2000}, {"", "foo::bar(int)", 0x2000}, {"", "foo::bar(double)", 0x2100},
		{"", "foo::bar( char )", 0x1f00},
		{"", "foo::bar", 0x2000}, {"", "plain", 0x2200}, {"", "plain()", 0x2200}, {"", "Foo::Foo", 0x2300},
		{"", "Foo::operator+", 0x2400}, {"", "std::vector<int, std::allocator<int> >::push_back", 0x2500},
		{"", "crate::walk", 0x2600}, {"", "mycrate::run", 0x2700}, {"", "bar", 0},
		{"", "table", 0x2800}, {"", "table[abi:cxx11]", 0x2800}, {"", "std::locale::name", 0x2900},
		{"", "table[abi:other]", 0},
	} {
		s, ok := NewTable(p).Find(c.module, c.name)
		if s.Addr != c.want || ok != (c.want != 0) {
			t.Errorf("Find(%q, %q) = %q at %v, %v, want %v", c.module, c.name, s.Name, s.Addr, ok, c.want)
		}
	}
	m.Exe = true
	if s, ok := NewTable(p).Find("a.out", "main"); !ok || s.Addr != 0x1000 {
		t.Errorf("a.out`main = %+v, %v", s, ok)
	}
	var got []string
	NewTable(p).Prefix(m, "_ZN3foo", func(s Symbol) bool { got = append(got, s.Name); return true })
	if want := "_ZN3foo3barEc _ZN3foo3barEd _ZN3foo3barEi"; strings.Join(got, " ") != want {
		t.Errorf("Prefix = %v, want %s", got, want)
	}
}

func TestFindInFile(t *testing.T) {
	file := func(name string) core.ImageSymbol {
		return core.ImageSymbol{Name: []byte(name), Kind: core.SymFile, Defined: true, Section: 0xfff1}
	}
	img := &fake{static: []core.ImageSymbol{
		file("one.c"), local(fn("helper", 0x1000, 8)), local(fn("only", 0x1010, 8)),
		file("src/two.cc"), local(fn("helper", 0x1100, 8)), local(fn("_ZL5innerv", 0x1110, 8)),
		fn("main", 0x1200, 8),
	}}
	p, _ := process(img, 0)
	for name, want := range map[string]core.Addr{
		"fake`one.c`helper": 0x1000, "fake`two.cc`helper": 0x1100, "fake`src/two.cc`helper": 0x1100,
		"fake`two.cc`inner": 0x1110,
		"fake`two.cc`only":  0, "fake`three.c`helper": 0, "other`one.c`helper": 0, "fake`wo.cc`helper": 0,
		"fake`two.cc`main": 0x1200,
	} {
		if s, ok := NewTable(p).Find("", name); ok != (want != 0) || ok && s.Addr != want {
			t.Errorf("%s = %v, %v, want %v", name, s.Addr, ok, want)
		}
	}
}

func TestPrivate(t *testing.T) {
	p, _ := process(&fake{static: []core.ImageSymbol{fn("main", 0x1000, 0x40)}}, 0)
	tab := NewTable(p)
	for _, s := range []Symbol{
		{Name: "jit", Addr: 0x500000, Size: 0x100}, {Name: "inner", Addr: 0x500010, Size: 8},
		{Name: "main", Addr: 0x1010}, {Name: "jit", Addr: 0x600000, Size: 0x100},
	} {
		if err := tab.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	for a, want := range map[core.Addr]string{
		0x1000: "main+0", 0x1010: "main+0", 0x1018: "main+24",
		0x500000: "", 0x500017: "inner+7", 0x500018: "", 0x6000ff: "jit+255", 0x600100: "",
	} {
		got := ""
		if s, off, ok := tab.Lookup(a); ok {
			got = s.Name + "+" + strconv.FormatUint(off, 10)
		}
		if got != want {
			t.Errorf("at %v: %q, want %q", a, got, want)
		}
	}
	if s, ok := tab.Find("", "main"); !ok || s.Addr != 0x1010 {
		t.Errorf("main is %v, %v: one's own comes first", s.Addr, ok)
	}
	if s, ok := tab.Find("fake", "main"); !ok || s.Addr != 0x1000 {
		t.Errorf("fake`main is %v, %v", s.Addr, ok)
	}
	if !tab.Remove("main") || tab.Remove("main") {
		t.Error("main is removed once")
	}
	if s, ok := tab.Find("", "main"); !ok || s.Addr != 0x1000 {
		t.Errorf("main is %v, %v after removal", s.Addr, ok)
	}
}

// TestAgainstReadelf looks up each function that readelf lists in this
// machine's C library and in a small program, by address and by name.
func TestAgainstReadelf(t *testing.T) {
	var paths []string
	for _, p := range []string{"/lib/*/libc.so.6", "/lib/*/libstdc++.so.6", "/usr/lib/*/libstdc++.so.6", "/bin/true"} {
		found, _ := filepath.Glob(p)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		out, err := exec.Command("readelf", "-sW", path).Output()
		if err != nil {
			t.Skipf("readelf: %v", err)
		}
		img := openStd(t, path)
		const bias = 0x10000000
		p, _ := process(img, bias)
		tab := NewTable(p)
		n := 0
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) < 8 || f[3] != "FUNC" && f[3] != "IFUNC" || f[6] == "UND" || f[6] == "ABS" {
				continue
			}
			addr, err1 := strconv.ParseUint(f[1], 16, 64)
			size, err2 := strconv.ParseUint(f[2], 0, 64)
			if err1 != nil || err2 != nil || size == 0 {
				continue
			}
			n++
			at := bias + core.Addr(addr)
			if s, off, ok := tab.Lookup(at); !ok || off != 0 || s.Size < size && s.Addr != at {
				t.Errorf("%s: Lookup(%#x) = %q+%d, %v, readelf has %s", path, addr, s.Name, off, ok, f[7])
			}
			name, _, _ := strings.Cut(f[7], "@")
			if s, ok := tab.Find("", name); !ok || s.Addr != at && f[4] == "GLOBAL" && !strings.Contains(f[7], "@") {
				t.Errorf("%s: Find(%s) = %v, %v, readelf has %#x", path, name, s.Addr, ok, addr)
			}
		}
		t.Logf("%s: %d functions", path, n)
	}
}

// TestMatchesPath: the names that can refer to a module.
func TestMatchesPath(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"/lib/libc.so.6", "libc.so.6", true}, {"/lib/libc.so.6", "libc", true},
		{"/lib/libc.so.6", "/lib/libc.so.6", true},
		{"/lib/libc.so.6", "libc.so", false}, {"/lib/libc.so.6", "", false}, {"", "", false},
		{"/app/base.apk!libx.so", "base.apk!libx.so", true}, {"/app/base.apk!libx.so", "libx.so", true},
		{"/app/base.apk!libx.so", "libx", true}, {"/app/base.apk!libx.so", "base", false},
	} {
		if got := MatchesPath(c.path, c.name); got != c.want {
			t.Errorf("%s means %s: %v", c.name, c.path, got)
		}
	}
}
