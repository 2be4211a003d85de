package machocore

import (
	"testing"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machotest"
)

// TestManyImages bounds what a list of images at headers of greatest size costs.
func TestManyImages(t *testing.T) {
	var cmds []byte
	n := 0
	for len(cmds) < macho.MaxHeader-machotest.SegmentSize {
		cmds, n = append(cmds, machotest.LC(0x26, make([]byte, 8))...), n+1
	}
	text := machotest.LC(format.LCSegment64, machotest.Words(machotest.Pad16("__TEXT"), uint64(0), uint64(0x1000),
		uint64(0), uint64(0x1000), 7, 5, 0, 0))
	image := append(machotest.Words(0xfeedfacf, format.CPUX86_64, 3, format.MHDylib, n+1, macho.MaxHeader, 0, 0),
		append(text, cmds...)...)
	r := &resolver{cputype: format.CPUX86_64}
	r.p = &core.Process{Space: core.NewSpace([]core.Segment{{Start: 0x100000000,
		End: 0x100000000 + core.Addr(len(image)), Kind: core.SegCore, Src: core.Bytes(image)}}, nil)}
	read := 0
	for range 3000 {
		if r.memoryImage(0x100000000) != nil {
			read++
		}
	}
	if read == 3000 || read < 100 {
		t.Errorf("%d images were read", read)
	}
}
