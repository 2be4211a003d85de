// Package debuginfod asks debuginfod servers for the files of a dead process by build-id: debug files,
// executables and libraries, and source files.
//
// The object chain: a find.Want with a build-id becomes the path
// /buildid/ID/{debuginfo,executable,source/PATH}. The cache, which is shared with elfutils' own client
// and so with GDB, comes first; then the servers are asked in turn. A file is checked before it gets
// its name in the cache.
//
// Upstream files: debuginfod/debuginfod-client.c of elfutils 0.188 and 0.192 (layout of the
// cache, names of sources, what an empty file means, headers), and debuginfod(8),
// debuginfod-find(1) and debuginfod-client-config(7), the manual of the variables.
//
//	client.go    Client, a find.Finder; what was tried
//	cache.go     where files are in the cache, and that a file is known to be nowhere
//	request.go   one file from one server, within bounds
//	environ.go   Options as the environment has them
//
// LIMITATIONS: only http and https; IMA signatures of servers are not verified; files are never removed
// from the cache, which the standard client does from time to time; single sections are not asked for.
// A source file cannot be verified.
package debuginfod
