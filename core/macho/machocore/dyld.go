package machocore

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
)

// Offsets in bytes in dyld_all_image_infos of 64-bit processes (dyld-1284,
// include/mach-o/dyld_images.h).
const (
	infosArrayCount = 4
	infosArray      = 8
	infosDyld       = 32
	infosUUIDCount  = 88
	infosUUIDs      = 96
	infosSelf       = 104
	infosCacheUUID  = 160
	infosCacheBase  = 176
	infosDyldPath   = 192

	infoSize     = 24 // load address, path, modification time
	uuidInfoSize = 24 // load address, UUID

	infosVersionPath = 15 // the first version with dyldPath, and the cache's base
	infosVersionUUID = 13 // the first version with the cache's UUID
	infosVersionSelf = 11 // the first version with its own address
	maxInfosVersion  = 1 << 10
)

// fromDyld lists the images by way of dyld's header.
func (l *finder) fromDyld(at core.Addr) []listed {
	dyld := macho.NewMemoryFile(l.p.Space.Dumped(), at)
	if dyld == nil {
		l.p.Warn("dyld", fmt.Sprintf("the core does not hold its header at %v", at))
		return nil
	}
	return l.fromInfos(allImageInfos(dyld), at)
}

// allImageInfos returns the address of dyld_all_image_infos in an image of dyld
// in memory: its own section, or the symbol.
func allImageInfos(f *macho.File) core.Addr {
	if s, err := f.Section("__all_image_info"); err == nil {
		return core.Addr(s.Addr) + f.Slide()
	}
	var at core.Addr
	_ = f.Symbols(false, func(s core.ImageSymbol) bool {
		switch string(s.Name) {
		case "dyld_all_image_infos", "_ZN5dyld420dyld_all_image_infosE":
			at = core.Addr(s.Value) + f.Slide()
		}
		return at == 0
	})
	return at
}

// fromInfos lists the images of dyld_all_image_infos; dyld is where its header
// was found, 0 if it was not.
func (l *finder) fromInfos(at, dyld core.Addr) []listed {
	c := l.p.Cursor()
	version := c.U32(at)
	if at == 0 || c.Err() != nil || version == 0 || version > maxInfosVersion {
		l.p.Warn("dyld", fmt.Sprintf("dyld_all_image_infos at %v cannot be read", at))
		return dyldOnly(dyld)
	}
	l.readCacheInfo(c, at, version)
	count, array := c.U32(at+infosArrayCount), c.Pointer(at+infosArray)
	var out []listed
	if array == 0 {
		l.p.Warn("dyld", "it was changing its list of images when the process died")
	}
	if count > maxImages {
		l.p.Warn("dyld", fmt.Sprintf("its list claims to have %d images", count))
		count = maxImages
	}
	uuids, broken := l.uuids(at), false
	for i := core.Addr(0); array != 0 && i < core.Addr(count); i++ {
		load, name := c.Pointer(array+i*infoSize), c.Pointer(array+i*infoSize+8)
		if c.Reset() != nil {
			l.p.Warn("dyld", fmt.Sprintf("its list of images breaks off after %d of %d", i, count))
			broken = true
			break
		}
		path, _ := core.CString(l.p.Space, name, format.MaxPath)
		out = append(out, listed{path: path, load: load, uuid: uuids[load], from: core.FromDyld})
	}
	if array == 0 || broken {
		for _, load := range l.uuidOrder(at) {
			out = append(out, listed{load: load, uuid: uuids[load], from: core.FromDyld})
		}
		// The list of UUIDs has no images of the shared cache.
		out = append(out, l.headers()...)
	}
	if dyld == 0 && version >= 2 {
		dyld = c.Pointer(at + infosDyld)
		if self := c.Pointer(at + infosSelf); version >= infosVersionSelf && self != 0 && self != at {
			dyld += at - self // not slid yet
		}
	}
	path := "/usr/lib/dyld"
	if version >= infosVersionPath {
		if s, err := core.CString(l.p.Space, c.Pointer(at+infosDyldPath), format.MaxPath); err == nil && s != "" {
			path = s
		}
	}
	if c.Reset() == nil && dyld != 0 {
		out = append(out, listed{path: path, load: dyld, uuid: uuids[dyld], from: core.FromDyld})
	}
	return out
}

// readCacheInfo notes which shared cache the process used.
func (l *finder) readCacheInfo(c *core.Cursor, at core.Addr, version uint32) {
	var uuid [16]byte
	if version >= infosVersionUUID {
		if c.Bytes(uuid[:], at+infosCacheUUID); c.Reset() == nil {
			l.cache.uuid = format.SomeUUID(uuid[:])
		}
	}
	if version >= infosVersionPath {
		if base := c.Pointer(at + infosCacheBase); c.Reset() == nil {
			l.cache.base = base
		}
	}
}

func dyldOnly(at core.Addr) []listed {
	if at == 0 {
		return nil
	}
	return []listed{{path: "/usr/lib/dyld", load: at, from: core.FromHeaders}}
}

// uuids returns the UUIDs that dyld keeps, by load address.
func (l *finder) uuids(at core.Addr) map[core.Addr][]byte {
	out := map[core.Addr][]byte{}
	c := l.p.Cursor()
	n, array := c.U64(at+infosUUIDCount), c.Pointer(at+infosUUIDs)
	for i := core.Addr(0); i < core.Addr(min(n, maxImages)) && array != 0; i++ {
		load, id := c.Pointer(array+i*uuidInfoSize), make([]byte, 16)
		c.Bytes(id, array+i*uuidInfoSize+8)
		if c.Err() != nil {
			break
		}
		out[load] = id
	}
	return out
}

// uuidOrder returns the load addresses of the list of UUIDs in its order.
func (l *finder) uuidOrder(at core.Addr) (out []core.Addr) {
	c := l.p.Cursor()
	n, array := c.U64(at+infosUUIDCount), c.Pointer(at+infosUUIDs)
	for i := core.Addr(0); i < core.Addr(min(n, maxImages)) && array != 0 && c.Err() == nil; i++ {
		if load := c.Pointer(array + i*uuidInfoSize); c.Err() == nil {
			out = append(out, load)
		}
	}
	return out
}
