// Package scan looks for return addresses on the stack, where nothing says where the
// caller's is.
//
// A word of the stack counts if it is the address after a call, and if the call leads to
// the function: for certain where the callee's instructions keep their return address
// just there (Prove), or where the call is a direct one that reaches the function; where
// it is indirect, the frames beyond must bear it out (step.Prober).
//
// Across looks beyond functions whose code cannot be read: a call into their module,
// borne out by the frames further out, is their caller's, and is marked, as frames may be
// missing between.
//
// LIMITATIONS: callers of missing code by an indirect call are found only if a frame record is further
// out. Without code there is no proof; Guess takes the first word that can be a return address then.
// Only the target of its call distinguishes the remains of an earlier call from a caller.
package scan
