package art_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

// dexBeside returns the dex file next to a core, by its location: smali's output. The process had a copy.
func dexBeside(t *testing.T, dir, location string) []byte {
	t.Helper()
	path, entry, _ := strings.Cut(location, "!")
	path = filepath.Join(dir, filepath.Base(path))
	if !strings.HasSuffix(path, ".jar") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if entry == "" {
		entry = "classes.dex"
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open(entry)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLiveDexFiles takes the dex files out of each core and compares them with the files that the process had
// opened.
func TestLiveDexFiles(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			list, err := a.DexFiles(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			known := 0
			for _, d := range list {
				if d.File == nil {
					t.Errorf("%s: %v", d.Location, d.Err)
					continue
				}
				b, err := d.File.Extract()
				if err != nil {
					t.Fatal(err)
				}
				if c, err := d.File.Check(b); err != nil || !c.OK() {
					t.Errorf("%s at %v: %+v, %v", d.Location, d.Begin, c, err)
				}
				if d.Addr == 0 {
					continue // left over in freed memory
				}
				known++
				if want := dexBeside(t, dir, d.Location); !bytes.Equal(b, want) {
					t.Errorf("%s: %d bytes differ from the %d on disk", d.Location, len(b), len(want))
				}
				if got, err := a.DexOf(context.Background(), d.Begin+100); err != nil || got != d {
					t.Errorf("DexOf a byte of %s: %v, %v", d.Location, got, err)
				}
			}
			if known == 0 {
				t.Error("the class linker knows no dex file")
			}
		})
	}
}

// TestLiveCodeInfo decodes all code of the JIT. The dex files are the witness:
// each stack map must be at a dex pc of its method, and at a native pc of its
// code, and code may not overlap.
func TestLiveCodeInfo(t *testing.T) {
	maps, inlined := 0, 0
	for _, dir := range liveCores(t) {
		_, a := openLive(t, dir)
		codes, err := a.JITCode()
		if err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		for i, start := range codes {
			c, err := a.CompiledAt(start)
			if err != nil {
				t.Errorf("%s: code at %v: %v", dir, start, err)
				continue
			}
			if c.Header.Code != start || c.Size == 0 || !c.JIT ||
				i+1 < len(codes) && uint64(codes[i+1]-start) < c.Size {
				t.Errorf("%s: code at %v: %+v", dir, start, c)
			}
			if c.Info == nil {
				continue
			}
			m, n := checkMaps(t, a, c)
			maps += m
			inlined += n
		}
	}
	t.Logf("%d stack maps, %d inlined frames", maps, inlined)
}

func checkMaps(t *testing.T, a *art.ART, c *code.Compiled) (maps, inlined int) {
	t.Helper()
	for row := range c.Info.StackMaps() {
		m, err := c.Info.StackMap(row, c.Align)
		if err != nil {
			t.Fatal(err)
		}
		maps++
		if uint64(m.NativePC) > c.Size {
			t.Errorf("code at %v of %d bytes has a stack map at +%#x", c.Header.Code, c.Size, m.NativePC)
		}
		if len(c.Methods) != 1 {
			t.Fatalf("code at %v with stack maps is for %d methods", c.Header.Code, len(c.Methods))
		}
		checkPC(t, c, c.Methods[0], m.DexPC)
		checkRegisters(t, c, m)
		list, err := c.Info.Inlined(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			inlined++
			in := &list[i]
			method := a.Method(in.ArtMethod)
			if in.ArtMethod == 0 {
				method = a.InlinedMethod(c.Methods[0], in)
			}
			checkPC(t, c, method, in.DexPC)
			if _, err := c.Info.InlinedRegisters(m, list, i); err != nil {
				t.Error(err)
			}
		}
	}
	return maps, inlined
}

func checkPC(t *testing.T, c *code.Compiled, m *code.Method, pc uint32) {
	t.Helper()
	if m.Code == nil || pc != codeinfo.NoValue && pc >= m.Code.Units {
		t.Errorf("code at %v: dex pc %#x of %v, which has %+v", c.Header.Code, pc, m, m.Code)
	}
}

// checkRegisters checks that registers on the stack are within the frame, or
// where the caller passed the arguments, and that the method has as many.
func checkRegisters(t *testing.T, c *code.Compiled, m codeinfo.StackMap) {
	t.Helper()
	regs, err := c.Info.Registers(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(regs) > 0 && len(regs) != c.Methods[0].Code.Registers {
		t.Errorf("code at %v: %d dex registers, its method has %d", c.Header.Code, len(regs),
			c.Methods[0].Code.Registers)
	}
	for i, l := range regs {
		if l.Kind < codeinfo.None || l.Kind > codeinfo.InFPRegisterHigh || l.Kind == codeinfo.InStack && (l.Value < 0 ||
			l.Value > int32(c.Info.FrameSize)+1024) {
			t.Errorf("code at %v: v%d is at %v", c.Header.Code, i, l)
		}
	}
}
