// Package triage reports why each of any number of cores died, a line each, and groups the cores that
// died of one bug. Each core is read by a process of its own, with bounds on its time and memory and,
// where the kernel has Landlock, on the files it can reach, so that a damaged or hostile core costs
// only its own line.
//
//	line.go         the report on a core
//	inputs.go       which cores are meant: files, folders, patterns, lists
//	run.go          the processes, and their lines in order
//	child.go        what such a process does
//	limits_*.go     the bounds that a process sets itself
//	sandbox_*.go    what it may still reach; triage/lend has the rest
//	resume.go       lines that are there already
//	identity.go     which cores are copies of one
//	member.go       a line in short
//	groups.go       lines of one bug, and the differences from an older run
//	bug.go          a bug as a record
//	html.go         the same to look at
//	site.go         the same as a folder of pages, one for each bug
//	trend.go        deaths by day
//
// LIMITATIONS: the bounds on memory are the kernel's where it has RLIMIT_DATA for anonymous memory
// (Linux 4.7), else Go's own, which is asked and not forced. Landlock requires Linux 5.13; before its
// ABI 4 (6.7) it does not keep a process from the network.
package triage
