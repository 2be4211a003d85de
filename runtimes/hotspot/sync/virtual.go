package sync

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
)

// blocked is the Status of a thread that waits to enter a monitor.
const blocked = "BLOCKED (on object monitor)"

// enters returns the object whose monitor a virtual thread waits to enter that no thread has mounted, and the
// object's owner. The innermost frame of Java has the object among its locks, the last lock first.
func (an *Analyzer) enters(t *frame.Thread) (object core.Addr, owner *frame.Thread) {
	for _, f := range an.Frames(t) {
		q := f.Record.(*frame.Activation)
		if len(q.Scopes) == 0 {
			continue
		}
		for _, held := range an.Locks(q, 0, &f) {
			m, err := an.Monitor(held.Object)
			if err == nil && m.Owner != t && m.Addr != 0 {
				return held.Object, m.Owner
			}
		}
		break
	}
	return 0, nil
}

// frozenOwner returns the virtual thread without a carrier whose frames have locked an object; nil if there
// is none. Such a thread has locks that are no monitors in its chunks, so that no LockStack names it.
func (an *Analyzer) frozenOwner(object core.Addr) *frame.Thread {
	an.frozenOnce.Do(func() {
		an.frozen = map[core.Addr]*frame.Thread{}
		all, _ := an.Virtual()
		for _, t := range all {
			if t.Carrier != nil || t.Native == nil {
				continue
			}
			for i, f := range an.Frames(t) {
				q := f.Record.(*frame.Activation)
				for n := range q.Scopes {
					for _, held := range an.Locks(q, n, &f) {
						if first := i == 0 && n == 0 && t.Status == blocked; held.Object != 0 &&
							!held.Eliminated && !first {
							an.frozen[held.Object] = t
						}
					}
				}
			}
		}
	})
	return an.frozen[object]
}
