package node

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

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
func (nr *Reader) Call(function string, o layout.Tagged) (value any, ok bool) {
	switch function {
	case "hasRef":
		return nr.hasRef(o)
	case "flowlabel":
		return nr.flowLabel(o)
	case "getRules":
		return nr.rules(o)
	case "count", "min", "max", "mean", "stddev", "exceeds", "skewness", "kurtosis", "percentiles":
		h, ok := nr.histogramOf(o)
		if !ok {
			return nil, false
		}
		return h.says(function)
	case "get title":
		if title := nr.uvTitle(); title != "" && nr.objects.Class(o) == "process" {
			return title, true
		}
	}
	return nil, false
}

func (nr *Reader) hasRef(o layout.Tagged) (value any, ok bool) {
	base, ok := nr.baseOf(o)
	if !ok {
		return nil, false
	}
	h, ok := nr.handleOf(base)
	if !ok {
		return nil, false
	}
	flags, ok := nr.U32(h + core.Addr(nr.uv.Handle.Flags))
	return flags&uint32(nr.uv.Flag.Ref) != 0, ok
}
