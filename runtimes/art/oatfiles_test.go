package art

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// No oat file is at hand: this one is laid by AOSP's runtime/oat.h and
// oat_file.cc of Android 14 (oat 239), for the dex file of the scene.
const (
	oatAt       = 0x71000000
	oatData     = oatAt + 0x1000 // after a page of ELF headers
	oatCode1    = oatData + 0x400
	oatCode2    = oatData + 0x440
	oatChecksum = 0xabcd
)

// layOat lays out the oat file: the class's first and third methods have code of their own, and the last shares
// the first's.
func (s *scene) layOat() {
	le := binary.LittleEndian
	location, store := "debug.dex", "compiler-filter\x00speed\x00"
	b := append([]byte("oat\n239\x00"), make([]byte, 14*4)...)
	le.PutUint32(b[8+4:], 6)   // instruction_set: x86_64
	le.PutUint32(b[8+3*4:], 1) // dex_file_count
	b = append(le.AppendUint32(b, uint32(len(store))), store...)
	le.PutUint32(b[8+4*4:], uint32(len(b))) // oat_dex_files_offset
	b = append(le.AppendUint32(b, uint32(len(location))), location...)
	b = append(b, "dex\n039\x00"...)
	b = le.AppendUint32(b, oatChecksum)
	b = append(b, make([]byte, 20+4)...)         // SHA-1, offset in the vdex file
	b = le.AppendUint32(b, uint32(len(b)+4+8*4)) // class offsets
	b = append(b, make([]byte, 8*4)...)          // the record's other words
	b = le.AppendUint32(b, uint32(len(b)+4))     // of the only class
	b = le.AppendUint32(b, 11|1<<16)             // status, SomeCompiled
	n := len(s.methodNames())
	b = le.AppendUint32(le.AppendUint32(b, uint32(n)), 1<<0|1<<2|1<<(n-1))
	for _, code := range []uint32{oatCode1 - oatData, oatCode2 - oatData, oatCode1 - oatData} {
		b = le.AppendUint32(b, code)
	}
	image := make([]byte, 0x2000)
	copy(image[0x1000:], b)
	for _, code := range []int{oatCode1 - oatAt, oatCode2 - oatAt} {
		// CodeInfo 16 bytes before: 8 bytes of code, a frame of 32, 3 dex
		// registers, and no tables; then the header, the distance.
		copy(image[code-16:], "\x80\x02\x30\x00")
		le.PutUint32(image[code-4:], 16)
	}
	s.mem[oatAt] = image
	s.u32(off(sceneDexFile, s.l.DexFile.Checksum), oatChecksum)
}

// methodNames lists the methods of the scene's class in the order of its data.
func (s *scene) methodNames() []string {
	s.t.Helper()
	def, err := s.dex.ClassDef(0)
	if err != nil {
		s.t.Fatal(err)
	}
	data, err := s.dex.ClassData(def.ClassData)
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for _, m := range slices.Concat(data.DirectMethods, data.VirtualMethods) {
		id, err := s.dex.Method(m.Index)
		if err != nil {
			s.t.Fatal(err)
		}
		names = append(names, id.Name)
	}
	return names
}

// TestOatFiles finds an oat file among the mappings, the version that it has,
// and methods by their code.
func TestOatFiles(t *testing.T) {
	s := newScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	s.thread(101, "main", "Native")
	s.linker()
	s.layOat()
	p, a := s.probe()
	if v := a.OatVersion(); v != 230 {
		t.Errorf("without an oat file, version %d", v)
	}
	for i := range p.Mappings {
		if p.Mappings[i].Start == oatAt {
			p.Mappings[i].Path, p.Mappings[i].Prot = "/system/framework/x86_64/boot.oat", core.Read|core.Exec
		}
	}
	a.use(a.fit)
	list, err := a.OatFiles()
	if err != nil || len(list) != 1 {
		t.Fatalf("OatFiles = %v, %v", list, err)
	}
	f := list[0]
	if f.File.Begin != oatData || f.File.InstructionSet != "x86_64" || !f.Contains(oatData+0xfff) || f.Contains(oatAt) {
		t.Errorf("oat file %+v", f)
	}
	if v := a.OatVersion(); v != 239 {
		t.Errorf("version %d", v)
	}
	names := s.methodNames()
	methods, err := a.OatMethods(f, "sample.Debug")
	if err != nil || len(methods) != len(names) || methods[0].Code != oatCode1 || methods[2].Code != oatCode2 ||
		methods[1].Code != 0 {
		t.Errorf("OatMethods = %v, %v", methods, err)
	}
	if _, err := a.OatMethods(f, "demo.Demo"); err == nil {
		t.Error("a class that is not there has methods")
	}
	for _, tt := range []struct {
		pc   core.Addr
		want string
	}{
		{oatCode1, fmt.Sprint(names[0], " ", names[len(names)-1])},
		{oatCode1 + 8, fmt.Sprint(names[0], " ", names[len(names)-1])},
		{oatCode2 + 4, names[2]},
	} {
		c, err := a.CompiledAt(tt.pc)
		if err != nil {
			t.Errorf("CompiledAt(%v): %v", tt.pc, err)
			continue
		}
		var got []string
		for _, m := range c.Methods {
			got = append(got, m.Name)
		}
		if fmt.Sprint(got) != "["+tt.want+"]" || c.Size != 8 || c.Info.FrameSize != 32 ||
			c.Info.DexRegisters != 3 || c.JIT {
			t.Errorf("CompiledAt(%v) = %v, %+v, %+v; want %s", tt.pc, got, c, c.Info, tt.want)
		}
	}
	for _, pc := range []core.Addr{oatCode1 + 9, oatCode2 + 0x100, oatData} {
		if c, err := a.CompiledAt(pc); err == nil {
			t.Errorf("CompiledAt(%v) = %+v", pc, c)
		}
	}
}
