package class

import "coredbg/core"

// A stream of zlib has its state in a block that leads back to it (zlib.h, deflate.h, inflate.h of 1.2.9 to 1.3.1; for
// Deflate also before):
//
//	internal_state {z_streamp strm; int status, or inflate_mode mode; …}
//	-> z_stream {next_in, avail_in, total_in, next_out, avail_out, total_out, msg, state}
const (
	streamState    = 7     // words before z_stream.state
	minInflateMode = 16180 // HEAD
	maxInflateMode = 16211 // SYNC
)

// deflateStatus has the values of deflate_state.status: INIT_STATE to FINISH_STATE.
var deflateStatus = map[int32]bool{42: true, 57: true, 69: true, 73: true, 91: true, 103: true, 113: true, 666: true}

// The names of states of zlib's streams.
const (
	deflateState = "Deflate state of zlib"
	inflateState = "Inflate state of zlib"
)

// stream returns the name of the state of a stream of zlib; "" if a block is no such state. Node's allocator
// for zlib has the size of a block in one or two words before it (src/node_zlib.cc: AllocForZlib).
func (n *Namer) stream(at core.Addr, size uint64) string {
	if size < 1<<10 { // inflate_state has tables of codes, deflate_state trees
		return ""
	}
	for i := range core.Addr(3) {
		if name := n.streamAt(at + i*n.w); name != "" {
			return name
		}
	}
	return ""
}

// streamAt returns the name of the state that is at an address.
func (n *Namer) streamAt(at core.Addr) string {
	status := int32(n.c.U32(at + n.w))
	inflates := status >= minInflateMode && status <= maxInflateMode
	if n.c.Reset() != nil || !inflates && !deflateStatus[status] {
		return ""
	}
	strm := n.c.Pointer(at)
	if n.c.Reset() != nil || strm == 0 || strm&(n.w-1) != 0 {
		return ""
	}
	state := n.c.Pointer(strm + streamState*n.w)
	switch {
	case n.c.Reset() != nil || state != at:
		return ""
	case inflates:
		return inflateState
	}
	return deflateState
}
