// Package heapsnapshot reads heap snapshots of V8, the files that DevTools and v8.writeHeapSnapshot
// write, as a heap.Source: so a snapshot is the same graph as the heap of a core. It also writes graphs
// as such files.
//
// A snapshot is one JSON object. "snapshot" describes it (meta: the names of the columns of each array,
// and of the types of nodes and edges; node_count, edge_count), "nodes" and "edges" are flat arrays of
// numbers, a row after the other, and "strings" are the names they refer to. The edges of the first
// node come first, then the edges of the second, and so on. The first node is the root of all:
//
//	file.go     File: a snapshot in the place of a runtime
//	scan.go     scanner: JSON in pieces, without a value that is as large as the file
//	read.go     Read: the arrays, in columns; every index is checked
//	spool.go    numbers in a temporary file, until their count is known
//	texts.go    strings, each once
//	meta.go     a snapshot's description of itself
//	source.go   Snapshot as a heap.Source
//	describe.go what objects and references are called
//	query.go    strings, arrays and fields, for queries over all nodes
//	write.go    Write: the other way round, an Exporter's description of a graph as a file
//	rows.go     the rows and strings of that file
//
// Strings stay in the file: only the places of their starts are kept. The bytes read bound every
// allocation.
//
// Upstream: v8/src/profiler/heap-snapshot-generator.cc (HeapSnapshotJSONSerializer,
// V8HeapExplorer), and DevTools' front_end/entrypoints/heap_snapshot_worker/
// HeapSnapshot.ts for which edges keep what they lead to. Columns are found by their
// names, so that snapshots of all versions can be read: from 5 fields a node on.
//
// LIMITATIONS: V8 writes no small integers, booleans, null and undefined, mostly no other numbers, and
// 1024 characters of a text: fields that hold these are not known. Allocation traces, samples and
// script positions are not read: a snapshot has no names of scripts. DevTools' rule that objects
// referred to by the page are kept by it alone does not hold for a process, and is not followed.
package heapsnapshot
