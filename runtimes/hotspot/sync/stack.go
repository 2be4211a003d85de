package sync

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
)

// maxStack bounds the bytes of a stack that are searched for objects.
const maxStack = 1 << 20

// onStack returns the objects that words of a thread's stack may be references to. More are found than the
// thread needs: a place that was used before still has what it had.
func (an *Analyzer) onStack(t *frame.Thread) []core.Addr {
	an.mu.Lock()
	defer an.mu.Unlock()
	if list, ok := an.stack[t]; ok {
		return list
	}
	var list []core.Addr
	seen := map[core.Addr]bool{}
	add := func(at core.Addr) {
		if at == 0 || seen[at] {
			return
		}
		seen[at] = true
		if _, err := an.Object(at); err == nil {
			list = append(list, at)
		}
	}
	words := func(from, to core.Addr) {
		c := an.Process.Cursor()
		for at := from &^ 7; at < to && at < from+maxStack; at += 4 {
			if at%8 == 0 {
				v := c.Pointer(at)
				if add(v); t.Virtual {
					add(an.Frozen(uint64(v)))
				}
			}
			if an.RefSize() == 4 {
				ref, _ := an.Ref(at)
				add(ref)
			}
			if c.Err() != nil {
				break
			}
		}
	}
	if t.Virtual {
		for _, c := range an.Chunks(t.Peer) {
			words(c.SP, c.Bottom)
		}
	}
	if t.Native != nil && t.Native.Task == nil {
		sp, _ := t.Native.Regs.Get(an.Process.Arch.SP)
		words(core.Addr(sp), t.StackBase)
	}
	an.stack[t] = list
	return list
}
