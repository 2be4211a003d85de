package pack

import "coredbg/core"

// Offsets and sizes in dyld's list of images; see core/macho/machocore/dyld.go.
const (
	infosCount, infosArray, infosPath = 4, 8, 192
	infosUUIDs, infosSize             = 88, 368
	infoSize, maxInfos, maxInfoPath   = 24, 1 << 16, 4096
	machOHeader                       = 32 << 10
)

// dyldList takes the pages of dyld's list of images, and the headers of those: they
// were read when the core was opened.
func (k *keeper) dyldList() {
	if k.p.OS != "darwin" {
		return
	}
	for _, m := range k.p.Modules {
		k.add(m.Start, machOHeader)
		facts := m.Facts()
		if facts.Image == nil || !facts.BiasKnown {
			continue
		}
		s, err := facts.Image.Section("__all_image_info")
		if err != nil {
			continue
		}
		at, c := core.Addr(s.Addr)+facts.Bias, k.p.Cursor()
		k.add(at, infosSize)
		n, array := min(c.U32(at+infosCount), maxInfos), c.Pointer(at+infosArray)
		k.add(array, uint64(n)*infoSize)
		k.add(c.Pointer(at+infosPath), maxInfoPath)
		uuids := min(c.U64(at+infosUUIDs), maxInfos)
		k.add(c.Pointer(at+infosUUIDs+8), uuids*infoSize)
		for i := range core.Addr(n) {
			k.add(c.Pointer(array+i*infoSize+8), maxInfoPath)
			if c.Reset() != nil {
				break
			}
		}
	}
}
