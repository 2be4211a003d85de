// Package deno reads the pending work of a Deno program: asynchronous ops, timers, and open
// resources.
//
// The chain: functions of the scripts "ext:core/…" close over the ring of promises, by whose
// numbers core knows the ops that are pending (ops.go), and over lists of timers (timers.go; until
// Deno 2.7 those are Rust's, in trees: rusttimers.go, btree.go). All are read by one Reader (reader.go). The functions of ops are made of
// templates, whose data is the address of an OpCtx in an array in order of the ops' numbers
// (opctx.go). Rust's futures of pending ops have number and op, which a function in their tables
// of methods returns (pending.go); which of them are unreferenced is a set in the state of the realm, to
// which its native context leads (unref.go). An OpCtx leads to the table of resources (resources.go); objects
// of JavaScript refer to these by number (owners.go). A WeakMap leads to the address of a realm
// (location.go). Source maps lie in Rust's memory as text (maps.go) and as decoded tables (maptokens.go).
//
// Rust lays out structs as it likes, and Deno's images have no symbols. So nothing of Rust's is
// read at an offset that is known beforehand: each is found by what it must be equal to, and code
// of the process says what its own methods return.
//
// Upstream: denoland/deno_core's core/00_infra.js, core/01_core.js, core/ops.rs, core/io/mod.rs,
// core/runtime/op_driver (deno's libs/core from 2.7 on), Deno's ext/web/02_timers.js.
// Versions: Deno 1.46 to 2.9.
//
// LIMITATIONS: names of ops and the table of resources are known on x86-64 and aarch64 alone, where
// code can be run. Until Deno 2.6 it is not known either
// whether there are no timers: of none nothing tells. Ops that are answered by a callback
// instead of a promise (setCallback of core/00_infra.js, later than 2.9) are not listed.
package deno
