// Package node reads the state of Node and libuv: the event loop with its handles and requests,
// timers, ticks and microtasks, and the process object.
//
// The chain: a native context leads to process and to the lists of timers and ticks
// (info.go, tasks); threads and static variables lead to uv_loop_t,
// whose queues hold handles and requests, and where nothing else does, objects
// of C++ lead to it (uv); a BaseObject around a handle leads to its JavaScript owner. What packs programs
// is in packed.go, the names of worker threads in workers.go,
// which module made a reference of Node-API in napi.go. waits.go has what a program waits for, noise.go how Node ends a
// process. question.go has what expressions are answered that only C++ and the system could answer: of clocks in
// clock.go, of memory and handles in usage.go, of the process and its environment in system.go.
//
// reader.go has the Reader, and how V8 and the commands reach it (package embedder of V8).
//
// The rooms, each a package below:
//
//	member   properties of objects, and variables of closures
//	cxx      objects of C++: vtables, lists, strings, sizes
//	uv       libuv's loops, handles and requests, and their wraps
//	tasks    timers, ticks and microtasks
//	binding  what functions of Node's that are written in C++ would answer
//	leak     what is known to leak
//
// Upstream: Node's lib/internal/timers.js, lib/internal/process/task_queues.js,
// src/base_object.h, src/handle_wrap.h; libuv's include/uv.h and src/unix.
// Versions: Node 12.0 to 26.
//
// LIMITATIONS: libuv's numbers are for 64-bit Linux and macOS (package uv). Names of workers are known where the C++
// library is libstdc++, as on Linux.
package node
