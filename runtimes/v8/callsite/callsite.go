// Package callsite reads the stacks that V8 captured for errors, and says how Error.stack prints a call.
//
// The chain: an error has, as the value of a private symbol, the text of its stack or the frames that were captured
// for it (errorstack.go): CallSiteInfos, words of one array since 14 (captured.go), or a FrameArray before 9.0
// (framearray.go). A Call is printed by the names of its function and of its receiver's class, and by the property that
// holds the function (names.go).
//
// Upstream: execution/messages.cc (ErrorUtils), objects/call-site-info.cc (SerializeJSStackFrame),
// objects/frame-array.h. Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: at most 4,096 frames of one stack are read. A stack that Error.prepareStackTrace made is the value that
// it returned.
package callsite

import "coredbg/runtimes/v8/object"

// A Reader reads captured stacks.
type Reader struct{ *object.Reader }

// New returns a Reader of the objects that r reads.
func New(r *object.Reader) *Reader { return &Reader{r} }
