// Package binding answers for functions of Node's own that are written in C++, as far as they only look at what
// Node keeps. Those of the environment are in env.go, of addresses in sockaddr.go, of histograms in hdr.go.
package binding

import (
	"sync"

	"coredbg/runtimes/node/cxx"
	"coredbg/runtimes/node/uv"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Functions answers for functions of Node's own that are written in C++.
type Functions struct {
	*layout.Memory
	objects *object.Reader
	heaps   *heap.Walker
	loops   *uv.Reader
	cxx     *cxx.Reader

	env       sync.Once
	envObject layout.Tagged // process.env of the main thread; 0 if it is not known
}

// New returns what answers for the functions of a process whose event loops are read by loops.
func New(r *object.Reader, hs *heap.Walker, loops *uv.Reader) *Functions {
	return &Functions{Memory: r.Memory, objects: r, heaps: hs, loops: loops, cxx: cxx.New(r.Memory)}
}

// Call is what a function of Node's own that is written in C++ would return for an object, as far
// as it is only a look at what Node keeps. It knows the functions by the names that
// scripts have for them:
//
//	hasRef     whether the handle keeps the event loop alive (src/handle_wrap.cc: HandleWrap::HasRef)
//	flowlabel  that of a net.SocketAddress (src/node_sockaddr.cc: SocketAddressBase::GetFlowLabel)
//	getRules   those of a net.BlockList, a list of texts (SocketAddressBlockListWrap::GetRules)
//	count, min, max, mean, stddev, exceeds, skewness, kurtosis, percentiles
//	           of a histogram of perf_hooks (src/histogram.cc: HistogramImpl); the last returns [][2]float64
//	get title  process.title, as libuv has it (src/node_process_object.cc: ProcessTitleGetter)
func (f *Functions) Call(function string, o layout.Tagged) (value any, ok bool) {
	switch function {
	case "hasRef":
		return f.hasRef(o)
	case "flowlabel":
		return f.flowLabel(o)
	case "getRules":
		return f.rules(o)
	case "count", "min", "max", "mean", "stddev", "exceeds", "skewness", "kurtosis", "percentiles":
		h, ok := f.histogramOf(o)
		if !ok {
			return nil, false
		}
		return h.says(function)
	case "get title":
		if title := f.loops.Title(); title != "" && f.objects.Class(o) == "process" {
			return title, true
		}
	}
	return nil, false
}

func (f *Functions) hasRef(o layout.Tagged) (value any, ok bool) {
	h, ok := f.loops.HandleOf(o)
	if !ok {
		return nil, false
	}
	return f.loops.Referenced(h)
}
