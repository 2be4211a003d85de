// Package sourcemap reads source maps, revision 3 of the format (ECMA-426, Source map
// format specification): where a place in generated code comes from.
//
// A map is JSON. Its mappings are lines of generated code, separated by ";", of segments,
// separated by ",", of one, four or five numbers in base 64 VLQ: the column in the
// generated line; and source, line and column of the original and an index into names,
// each relative to the one before it. An index map has maps for parts of a file.
//
//	map.go       a Map: reading it, finding a place
//	mappings.go  the numbers, and marks in them where a search may begin
//	bounds.go    what a map may cost
//	encode.go    mappings that are no text, as text
//	agree.go     whether a map can be the one of a text, by its words
//	url.go       what URLs in maps and scripts lead to; maps that are in a URL
//
// A place takes a mapping only from its own generated line, and not from a segment of one number. Node, which
// prints originals with --enable-source-maps, also uses the last mapping of an earlier line
// (lib/internal/source_map/source_map.js: findEntry).
//
// github.com/go-sourcemap/sourcemap v2.1.4 was compared. It takes segments of one number for
// mapped, has no ignore lists, subtracts the column of a part on all its lines, reads
// beyond its list of sources where a map lies (a panic), and keeps 24 bytes a segment; this
// package keeps the text, and 32 bytes for each 256 segments.
//
// LIMITATIONS: names come from the map's "names"; the scopes proposal is not read.
package sourcemap
