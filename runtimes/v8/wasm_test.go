package v8

import "testing"

// testModule imports a function and a memory and defines two functions, of
// which it names one; written by hand after the specification.
var testModule = []byte{
	0, 'a', 's', 'm', 1, 0, 0, 0,
	1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f,
	2, 14, 2, 1, 'm', 1, 'f', 0, 0, 1, 'm', 1, 'x', 2, 0, 1,
	3, 3, 2, 0, 0,
	10, 11, 2, 6, 0, 0x20, 0, 0x10, 0, 0x0b, 2, 0, 0x0b,
	0, 13, 4, 'n', 'a', 'm', 'e', 1, 6, 1, 2, 3, 'r', 'u', 'n',
}

func TestParseWasm(t *testing.T) {
	m, err := parseWasm(testModule)
	if err != nil {
		t.Fatal(err)
	}
	if m.imported != 1 || len(m.bodies) != 2 || m.names[2] != "run" || len(m.names) != 1 {
		t.Errorf("module is %+v", m)
	}
	if b, ok := m.body(1); !ok || b != (wasmExtent{41, 6}) {
		t.Errorf("body 1 is %v, want at 41, of 6 bytes", b)
	}
	if _, ok := m.body(0); ok {
		t.Error("an imported function has a body")
	}
	for n := range testModule {
		if m, err := parseWasm(testModule[:n]); err == nil && n != 8 && n != 16 && n != 32 && n != 37 && n != 50 {
			t.Errorf("cut at %d: no error, %+v", n, m)
		}
	}
}

func FuzzParseWasm(f *testing.F) {
	f.Add(testModule)
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := parseWasm(data)
		for i := range m.bodies {
			if b, ok := m.body(m.imported + i); !ok || b.start < 0 || b.start > len(data) {
				t.Errorf("body %d is %v of %d bytes", i, b, len(data))
			}
		}
	})
}
