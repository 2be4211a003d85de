package sync

import (
	"coredbg/core"
	"coredbg/runtimes/java"
)

// A view is a process as package juc reads it.
type view struct{ an *Analyzer }

func (v view) JavaHeap() java.Heap { return v.an.JavaHeap() }

func (v view) Peers() (list []core.Addr) {
	threads, _ := v.an.all()
	for _, t := range threads {
		if t.Peer != 0 {
			list = append(list, t.Peer)
		}
	}
	return list
}

// Stack returns the words of a thread's stack that are objects.
func (v view) Stack(peer core.Addr) []core.Addr {
	if t := v.an.threadOfPeer(peer); t != nil {
		return v.an.onStack(t)
	}
	return nil
}

// maxFields bounds the references of one object that are followed.
const maxFields = 64

func (v view) References(o core.Addr) (list []core.Addr) {
	x, err := v.an.Object(o)
	if err != nil || x.Class.IsArray() {
		return nil
	}
	for _, f := range v.an.InstanceFields(x.Class) {
		if !f.Reference() || len(list) == maxFields {
			continue
		}
		if at, ok := v.an.Ref(o + core.Addr(f.Offset)); ok && at != 0 {
			list = append(list, at)
		}
	}
	return list
}
