package macho

import (
	"encoding/json"

	"coredbg/core"
)

// absent is the address that writers of notes put where they know none.
const absent = ^uint64(0)

// A listed is an image that something says was loaded.
type listed struct {
	path string
	load core.Addr
	uuid []byte // nil if unknown
	from core.Origin
	segs []placed // where its segments lie, if the note says
}

// A placed segment is one of which only the start is known.
type placed struct {
	name  string
	start core.Addr
}

// maxListedSegments bounds the segments of a listed image; those of macOS 14 have up
// to 10.
const maxListedSegments = 32

// notes is what the LC_NOTEs of a core say (lldb 19, ObjectFileMachO.cpp).
type notes struct {
	low, high uint // significant bits of addresses; 0 if unknown
	mainType  uint32
	mainAddr  uint64
	mainUUID  []byte
	images    []listed
	tids      []int
}

// note takes one LC_NOTE; d is its payload, cut where the file ends. It returns false
// if that makes no sense.
func (l *loader) note(owner string, off int64, d []byte) bool {
	l.p.Notes = append(l.p.Notes, core.Note{Owner: owner, Name: owner, Off: off, Desc: d})
	switch owner {
	case "addrable bits":
		return l.addrableBits(d)
	case "main bin spec":
		return l.mainBinSpec(d)
	case "load binary":
		return l.loadBinary(d)
	case "all image infos":
		return l.allImageInfos(d)
	case "process metadata":
		return l.metadata(d)
	}
	return true
}

func (l *loader) addrableBits(d []byte) bool {
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
	l.notes.low, l.notes.high = uint(low), uint(high)
	return true
}

// The types of "main bin spec".
const (
	mainUnspecified = 0
	mainKernel      = 1
	mainDyld        = 2 // the address is that of dyld's header
	mainStandalone  = 3
	mainInfos       = 4 // the address is that of dyld_all_image_infos
)

func (l *loader) mainBinSpec(d []byte) bool {
	uuid := 16
	switch {
	case len(d) >= 32 && le.Uint32(d) == 1:
	case len(d) >= 40 && le.Uint32(d) == 2:
		uuid = 24 // a slide precedes it
	default:
		return false
	}
	l.notes.mainType, l.notes.mainAddr, l.notes.mainUUID = le.Uint32(d[4:]), le.Uint64(d[8:]), someUUID(d[uuid:uuid+16])
	return l.notes.mainType <= mainInfos
}

// someUUID returns b, or nil if it is all zeros.
func someUUID(b []byte) []byte {
	for _, c := range b {
		if c != 0 {
			return b
		}
	}
	return nil
}

func (l *loader) loadBinary(d []byte) bool {
	if len(d) < 36 || le.Uint32(d) != 1 {
		return false
	}
	load := le.Uint64(d[20:])
	if load == absent {
		return true // only a slide: of no use without the file
	}
	l.notes.images = append(l.notes.images, listed{path: fixed(d[36:]), load: core.Addr(load), uuid: someUUID(d[4:20]), from: core.FromImageNote})
	return true
}

// maxImages bounds the images of a list.
const maxImages = 1 << 14

// allImageInfos reads the note whose entries and paths lie anywhere in the file.
func (l *loader) allImageInfos(d []byte) bool {
	if len(d) < 24 || le.Uint32(d) != 1 {
		return false
	}
	n, at, size := le.Uint32(d[4:]), le.Uint64(d[8:]), le.Uint32(d[16:])
	if size < 48 || size > 1<<12 || n > maxImages {
		return false
	}
	for b := slice(l.src, at, uint64(n)*uint64(size)); len(b) >= int(size); b = b[size:] {
		i := listed{uuid: someUUID(b[8:24]), load: core.Addr(le.Uint64(b[24:])), from: core.FromImageNote}
		if name := le.Uint64(b); name != absent {
			i.path = fixed(slice(l.src, name, maxPath))
		}
		segs := slice(l.src, le.Uint64(b[32:]), uint64(min(le.Uint32(b[40:]), maxListedSegments))*32)
		for ; len(segs) >= 32; segs = segs[32:] {
			if name := fixed(segs[:16]); name != "__PAGEZERO" {
				i.segs = append(i.segs, placed{name, core.Addr(le.Uint64(segs[16:]))})
			}
		}
		if uint64(i.load) != absent {
			l.notes.images = append(l.notes.images, i)
		}
	}
	return true
}

// maxPath bounds a path in bytes (MAXPATHLEN of macOS is 1024).
const maxPath = 4096

// metadata reads the thread ids; there is one entry for each LC_THREAD.
func (l *loader) metadata(d []byte) bool {
	var m struct {
		Threads []struct {
			ID uint64 `json:"thread_id"`
		} `json:"threads"`
	}
	if err := json.Unmarshal([]byte(fixed(d)), &m); err != nil {
		return false
	}
	for _, t := range m.Threads {
		l.notes.tids = append(l.notes.tids, int(t.ID&(1<<62-1)))
	}
	return true
}
