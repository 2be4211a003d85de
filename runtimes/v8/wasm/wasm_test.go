package wasm

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

func TestParse(t *testing.T) {
	m, err := Parse(testModule)
	if err != nil {
		t.Fatal(err)
	}
	if m.Imported != 1 || len(m.Bodies) != 2 || m.Names[2] != "run" || len(m.Names) != 1 {
		t.Errorf("module is %+v", m)
	}
	if b, ok := m.Body(1); !ok || b != (Extent{Start: 41, Size: 6}) {
		t.Errorf("body 1 is %v, want at 41, of 6 bytes", b)
	}
	if _, ok := m.Body(0); ok {
		t.Error("an imported function has a body")
	}
	for n := range testModule {
		if m, err := Parse(testModule[:n]); err == nil && n != 8 && n != 16 && n != 32 && n != 37 && n != 50 {
			t.Errorf("cut at %d: no error, %+v", n, m)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(testModule)
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := Parse(data)
		for i := range m.Bodies {
			if b, ok := m.Body(m.Imported + i); !ok || b.Start < 0 || b.Start > len(data) {
				t.Errorf("body %d is %v of %d bytes", i, b, len(data))
			}
		}
	})
}
