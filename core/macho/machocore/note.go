package machocore

import (
	"encoding/binary"
	"encoding/json"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// absent is the address that writers of notes put where they know none.
const absent = ^uint64(0)

// maxListedSegments bounds the segments of a listed image. Images of macOS 14 have up to 10.
const maxListedSegments = 32

// notes is what the LC_NOTEs of a core say (lldb 19, ObjectFileMachO.cpp).
type notes struct {
	src core.Source // the core

	low, high uint // significant bits of addresses; 0 if unknown
	mainType  uint32
	mainAddr  uint64
	mainUUID  []byte
	images    []listed
	tids      []int
}

// take takes one LC_NOTE; d is its payload, cut where the file ends. It returns false
// if that makes no sense.
func (n *notes) take(owner string, d []byte) bool {
	switch owner {
	case "addrable bits":
		return n.addrableBits(d)
	case "main bin spec":
		return n.mainBinSpec(d)
	case "load binary":
		return n.loadBinary(d)
	case "all image infos":
		return n.allImageInfos(d)
	case "process metadata":
		return n.metadata(d)
	}
	return true
}

func (n *notes) addrableBits(d []byte) bool {
	if len(d) < 8 {
		return false
	}
	low, high := le.Uint32(d[4:]), le.Uint32(d[4:])
	switch version := le.Uint32(d); {
	case version == 4 && len(d) >= 12:
		high = le.Uint32(d[8:])
	case version != 3:
		return false
	}
	if low > 64 || high > 64 {
		return false
	}
	n.low, n.high = uint(low), uint(high)
	return true
}

// The types of "main bin spec".
const (
	mainUnspecified = 0
	mainKernel      = 1
	mainDyld        = 2 // the address of dyld's header
	mainStandalone  = 3
	mainInfos       = 4 // the address of dyld_all_image_infos
)

func (n *notes) mainBinSpec(d []byte) bool {
	uuid := 16
	switch {
	case len(d) >= 32 && le.Uint32(d) == 1:
	case len(d) >= 40 && le.Uint32(d) == 2:
		uuid = 24 // a slide precedes it
	default:
		return false
	}
	n.mainType, n.mainAddr, n.mainUUID = le.Uint32(d[4:]), le.Uint64(d[8:]), format.SomeUUID(d[uuid:uuid+16])
	return n.mainType <= mainInfos
}

func (n *notes) loadBinary(d []byte) bool {
	if len(d) < 36 || le.Uint32(d) != 1 {
		return false
	}
	load := le.Uint64(d[20:])
	if load == absent {
		return true // only a slide: of no use without the file
	}
	n.images = append(n.images, listed{path: format.Text(d[36:]), load: core.Addr(load), uuid: format.SomeUUID(d[4:20]),
		from: core.FromImageNote})
	return true
}

// maxImages bounds the images of a list.
const maxImages = 1 << 14

// allImageInfos reads the note whose entries and paths lie anywhere in the file.
func (n *notes) allImageInfos(d []byte) bool {
	if len(d) < 24 || le.Uint32(d) != 1 {
		return false
	}
	count, at, size := le.Uint32(d[4:]), le.Uint64(d[8:]), le.Uint32(d[16:])
	if size < 48 || size > 1<<12 || count > maxImages {
		return false
	}
	for b := format.Slice(n.src, at, uint64(count)*uint64(size)); len(b) >= int(size); b = b[size:] {
		i := listed{uuid: format.SomeUUID(b[8:24]), load: core.Addr(le.Uint64(b[24:])), from: core.FromImageNote}
		if name := le.Uint64(b); name != absent {
			i.path = format.Text(format.Slice(n.src, name, format.MaxPath))
		}
		segs := format.Slice(n.src, le.Uint64(b[32:]), uint64(min(le.Uint32(b[40:]), maxListedSegments))*32)
		for ; len(segs) >= 32; segs = segs[32:] {
			if name := format.Text(segs[:16]); name != "__PAGEZERO" {
				i.segs = append(i.segs, placed{name, core.Addr(le.Uint64(segs[16:]))})
			}
		}
		if uint64(i.load) != absent {
			n.images = append(n.images, i)
		}
	}
	return true
}

// metadata reads the thread ids; there is one entry for each LC_THREAD.
func (n *notes) metadata(d []byte) bool {
	var m struct {
		Threads []struct {
			ID uint64 `json:"thread_id"`
		} `json:"threads"`
	}
	if err := json.Unmarshal([]byte(format.Text(d)), &m); err != nil {
		return false
	}
	for _, t := range m.Threads {
		n.tids = append(n.tids, int(t.ID&(1<<62-1)))
	}
	return true
}

// le reads the words of cores.
var le = binary.LittleEndian
