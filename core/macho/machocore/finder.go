package machocore

import "coredbg/core"

// A finder lists the images of a process of a Mach-O core, and notes which shared cache
// it used.
type finder struct {
	*resolver
	mapped mapped // the core's file, if it is one
}

// A mapped Source is a file in memory, which takes hints of how it will be read; that
// of core/file is one on Linux.
type mapped interface {
	Random(on bool)
	Forget()
}

// forget gives memory back after each n-th step of long work: looking at a page here
// and there of a big core would pile up what the system maps around them.
func (l *finder) forget(step, n int) {
	if l.mapped != nil && step%n == n-1 {
		l.mapped.Forget()
	}
}

// images lists the images of the process, in the order of lldb's search: a
// note that leads to dyld, notes that list images, dyld found in memory.
func (l *finder) images(n *notes) (list []listed) {
	switch {
	case n.mainAddr == absent || n.mainAddr == 0:
	case n.mainType == mainDyld:
		list = l.fromDyld(core.Addr(n.mainAddr))
	case n.mainType == mainInfos:
		list = l.fromInfos(core.Addr(n.mainAddr), 0)
	default:
		// A standalone binary, or just the one that the writer cared for.
		list = append(l.scan(), listed{load: core.Addr(n.mainAddr), uuid: n.mainUUID, from: core.FromImageNote})
	}
	list = append(list, n.images...)
	if len(list) == 0 {
		list = l.scan()
	}
	return list
}
