// Package function steps out of functions: by the row of call frame information that holds at a place,
// or by their instructions, which show where the frame is, or how control gets to the caller.
//
// The order in which they are asked is the walk's: a call to nowhere is taken back (Wild),
// register windows are turned (Window), rows that hold in bodies only give way to
// instructions where these are sure (Body), rows come next (CFI), then the link register
// of an interrupted function (Link), the way to the return over calls (Ahead), and the
// instructions from the function's start or to its return (Prologue). Each declines
// where it does not know, so that the next one is asked.
//
// Files:
//
//	cfi.go       CFI
//	body.go      Body
//	prologue.go  Prologue; what makes a frame that instructions show the caller's
//	ahead.go     Ahead
//	link.go      Link
//	lostsp.go    the stack pointer of a frame beyond code that cannot be read
//	wild.go      Wild
//	window.go    Window, of SPARC V9
//
// Sources: AAPCS64 for the link register; SPARC Compliance Definition 2.4, chapter 3P.
//
// LIMITATIONS: the ones of packages tables and isa: without a row and code there is no step.
package function
