// Package corpus keeps what is right about cores: a case is a small file of JSON that names a
// bundle by its checksum and has the stacks and the verdict that it had when somebody
// looked, and who or what says that they are right. Cases belong into version control;
// bundles lie beside them, in any folder, or on any server of plain HTTP.
//
//	case.go   a case, and what makes one of an open core
//	diff.go   what differs between two cases, frame by frame
//	store.go  the bundles: found, fetched, verified
//	check.go  cases against what is found now
//
// LIMITATIONS: of a thread the innermost frames are compared, of a process the first
// threads; values and heaps are not.
package corpus
