// Package corpus keeps cores with their right answers: a case is a small JSON file with the checksum of a
// bundle, its stacks and verdict, and the witness for them. Cases belong into version control; bundles are next
// to them, in any folder, or on any server of plain HTTP.
//
//	case.go   a case, and how one is made from an open core
//	diff.go   what differs between two cases, frame by frame
//	store.go  the bundles: found, fetched, verified
//	check.go  cases against what is found now
//
// LIMITATIONS: only the innermost frames of a thread, and only the first threads of a process, are
// compared; values and heaps are not.
package corpus
