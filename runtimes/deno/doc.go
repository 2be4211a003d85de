// Package deno reads the pending work of a Deno program: asynchronous ops, timers, and open
// resources.
//
// The chain: functions of the scripts "ext:core/…" close over the ring of promises, whose numbers
// identify the pending ops (ops.go), and over lists of timers (timers.go; until Deno 2.7 those are
// Rust's, in trees: rusttimers.go, btree.go). All are read by one Reader (reader.go). The functions of
// ops are made from templates, whose data is the address of an OpCtx in an array in order of the ops'
// numbers (opctx.go). Rust's futures of pending ops have number and op, which a function in their
// tables of methods returns (pending.go). The unreferenced ones are a set in the state of the realm,
// which its native context leads to (unref.go). An OpCtx leads to the table of resources
// (resources.go); objects of JavaScript refer to these by number (owners.go). A WeakMap leads to the
// address of a realm (location.go). Structs of Rust are read by rust.go.
//
// Its room, a package below:
//
//	sourcemaps  source maps in Rust's memory
//
// Rust lays out structs as it likes, and Deno's images have no symbols. So no part of Rust's data is
// read at an offset that is known beforehand: each is found by the value that it must have, and code of
// the process gives the results of its own methods.
//
// Upstream: denoland/deno_core's core/00_infra.js, core/01_core.js, core/ops.rs, core/io/mod.rs,
// core/runtime/op_driver (deno's libs/core from 2.7 on), Deno's ext/web/02_timers.js.
// Versions: Deno 1.46 to 2.9.
//
// LIMITATIONS: names of ops and the table of resources are known on x86-64 and aarch64 alone, where
// code can be run. Until Deno 2.6 a process without timers cannot be told from one whose timers were
// not found. Ops that are answered by a callback instead of a promise (setCallback of core/00_infra.js,
// later than 2.9) are not listed.
package deno
