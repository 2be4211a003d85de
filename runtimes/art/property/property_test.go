package property

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// propScene lays a property area: ro.build.version.sdk, ro.build.fingerprint
// (long) and sys.boot, with siblings to the left and to the right.
func propScene() []byte {
	b := make([]byte, 4096)
	put := binary.LittleEndian.PutUint32
	put(b[8:], propMagic)
	put(b[12:], propVersion)
	data := b[propHeader:]
	next := uint32(propNode)
	node := func(name string) uint32 {
		at := next
		put(data[at:], uint32(len(name)))
		copy(data[at+propNode:], name)
		next += (propNode + uint32(len(name)) + 4) &^ 3
		return at
	}
	info := func(name, value string) uint32 {
		at := next
		copy(data[at+4:at+4+propValue-1], value)
		copy(data[at+4+propValue:], name)
		next += (4 + propValue + uint32(len(name)) + 4) &^ 3
		if len(value) >= propValue {
			clear(data[at+4 : at+4+propValue])
			copy(data[at+4:], "Must use __system_property_read_callback() to read")
			put(data[at:], propLong|uint32(len(value))<<24)
			put(data[at+propLongOff:], next-at)
			copy(data[next:], value)
			next += (uint32(len(value)) + 4) &^ 3
		}
		return at
	}
	set := func(node, word, v uint32) { put(data[node+4*word:], v) }
	const prop, left, right, children = 1, 2, 3, 4
	ro, sys, build, version, sdk, print := node("ro"), node("sys"), node("build"), node("version"), node("sdk"),
		node("fingerprint")
	boot := node("boot")
	set(0, children, ro)
	set(ro, right, sys)
	set(ro, children, build)
	set(build, children, version)
	set(version, left, print)
	set(version, children, sdk)
	set(sys, children, boot)
	set(sdk, prop, info("ro.build.version.sdk", "34"))
	set(print, prop, info("ro.build.fingerprint", strings.Repeat("x/", 60)))
	set(boot, prop, info("sys.boot", "1"))
	return b
}

func propProcess(b []byte) *core.Process {
	p := coretest.New(core.ARM64).Map(0x7000000000, b).Process()
	for i := range p.Mappings {
		p.Mappings[i].Path = propDirectory + "u:object_r:build_prop:s0"
	}
	return p
}

func TestProperties(t *testing.T) {
	props, problems := Read(propProcess(propScene()))
	if len(problems) > 0 {
		t.Error(problems)
	}
	var got []string
	for _, p := range props {
		got = append(got, p.Name+"="+p.Value)
	}
	want := []string{"ro.build.fingerprint=" + strings.Repeat("x/", 60), "ro.build.version.sdk=34", "sys.boot=1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if b := Fingerprint(propProcess(propScene())); b != strings.Repeat("x/", 60) {
		t.Errorf("build %q", b)
	}
	if a := props[0].Area; a != propDirectory+"u:object_r:build_prop:s0" {
		t.Errorf("area %q", a)
	}
}

// TestBadProperties follows tries that lead out of the area or round in circles.
func TestBadProperties(t *testing.T) {
	for name, spoil := range map[string]func(b []byte){
		"is outside":        func(b []byte) { binary.LittleEndian.PutUint32(b[propHeader+16:], 0xfffffff0) },
		"is met again":      func(b []byte) { binary.LittleEndian.PutUint32(b[propHeader+propNode+8:], propNode) },
		"a name of":         func(b []byte) { binary.LittleEndian.PutUint32(b[propHeader+propNode:], 0x10000) },
		"offset 0xffffffff": func(b []byte) { binary.LittleEndian.PutUint32(b[propHeader+propNode+4:], 0xffffffff) },
	} {
		b := propScene()
		spoil(b)
		if _, problems := Read(propProcess(b)); len(problems) != 1 || !strings.Contains(problems[0], name) {
			t.Errorf("%s: %q", name, problems)
		}
	}
	p := coretest.New(core.ARM64).Gap(0x7000000000, 4096, core.Read, core.NotDumped).Process()
	p.Mappings[0].Path = propDirectory + "u:object_r:build_prop:s0"
	if props, problems := Read(p); len(props) != 0 || len(problems) != 1 {
		t.Errorf("not dumped: %v, %v", props, problems)
	}
}

func FuzzProperties(f *testing.F) {
	f.Add(propScene()[propHeader:])
	f.Fuzz(func(t *testing.T, data []byte) {
		b := append(slices.Clone(propScene()[:propHeader]), data...)
		Read(propProcess(b[:min(len(b), 1<<16)]))
	})
}
