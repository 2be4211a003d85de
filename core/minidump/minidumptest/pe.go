package minidumptest

// An Unwind is a function of a PE image: its code at an offset in .text, its size, and its
// UNWIND_INFO.
type Unwind struct {
	Off, Size uint32
	Info      []byte
}

// RVAs of the sections of PE.
const (
	PEText = 0x1000
	PEData = 0x2000
	PESize = 0x3000
)

// PE returns an image of x64 with code, which is at PEText, and unwind information of its
// functions. It exports the first as "exported", and names a PDB of a GUID, age 1.
func PE(text []byte, guid []byte, funcs ...Unwind) []byte {
	const headers, rdata = 0x400, 0x800
	b := make([]byte, headers+0x400+rdata)
	copy(b, "MZ")
	le.PutUint32(b[60:], 0x40)
	h := b[0x40:]
	copy(h, "PE\x00\x00")
	le.PutUint16(h[4:], 0x8664)
	le.PutUint16(h[6:], 2)
	le.PutUint32(h[8:], 0x5ca1ab1e)
	le.PutUint16(h[20:], 240)
	opt := h[24:]
	le.PutUint16(opt, 0x20b)
	le.PutUint32(opt[56:], PESize)
	le.PutUint32(opt[60:], headers)
	le.PutUint32(opt[108:], 16)
	section := func(i int, name string, rva, off, size, flags uint32) {
		s := opt[240+40*i:]
		copy(s, name)
		for at, v := range map[int]uint32{8: size, 12: rva, 16: size, 20: off, 36: flags} {
			le.PutUint32(s[at:], v)
		}
	}
	section(0, ".text", PEText, headers, 0x400, 0x60000020)
	section(1, ".rdata", PEData, headers+0x400, rdata, 0x40000040)
	copy(b[headers:headers+0x400], text)
	d := b[headers+0x400:]
	dir := func(i int, rva, size uint32) {
		le.PutUint32(opt[112+8*i:], rva)
		le.PutUint32(opt[116+8*i:], size)
	}
	info := uint32(0x100)
	for i, f := range funcs {
		copy(d[12*i:], Words(PEText+f.Off, PEText+f.Off+f.Size, PEData+info))
		copy(d[info:], f.Info)
		info += (uint32(len(f.Info)) + 3) &^ 3
	}
	dir(3, PEData, uint32(12*len(funcs)))
	copy(d[0x500:], Words(0, 0, 0, 0, 1, 1, 1, PEData+0x540, PEData+0x544, PEData+0x548))
	copy(d[0x540:], Words(PEText, PEData+0x550, 0))
	copy(d[0x550:], "exported\x00")
	dir(0, PEData+0x500, 0x60)
	record := RSDS(guid, 1, `C:\src\tiny.pdb`)
	copy(d[0x600:], Words(0, 0, 0, 2, uint32(len(record)), PEData+0x640, 0))
	copy(d[0x640:], record)
	dir(6, PEData+0x600, 28)
	return b
}
