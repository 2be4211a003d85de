// Package node reads the state of Node and libuv: the event loop with its handles and requests,
// timers, ticks and microtasks, and the process object.
//
// The chain: a native context leads to process and to the lists of timers and ticks
// (info.go, timers.go, ticks.go); threads and static variables lead to uv_loop_t,
// whose queues hold handles and requests (uv.go, its numbers libuv.go), and where nothing else does, objects
// of C++ lead to it (envloop.go); a BaseObject around a handle leads to its JavaScript owner (wrap.go). What is
// known to leak is a table in leaks.go; the listeners of an EventTarget are in eventtarget.go, streams that take less than is written in streams.go, what packs programs
// in packed.go, the names of worker threads in workers.go, how large an object of C++ is in block.go,
// which module made a reference of Node-API in napi.go. waits.go has what a program waits for. How Node ends a process is in noise.go, what functions
// of its answer for in embedder.go and env.go, of objects of C++ (cxx.go) in sockaddr.go and hdr.go.
//
// Upstream: Node's lib/internal/timers.js, lib/internal/process/task_queues.js,
// src/base_object.h, src/handle_wrap.h; libuv's include/uv.h and src/unix.
// Versions: Node 12.0 to 26.
//
// LIMITATIONS: libuv's numbers are those of 64-bit Linux and macOS. Names of workers are known
// where strings of C++ are those of libstdc++, as on Linux.
package node
