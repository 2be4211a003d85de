// Package original finds where JavaScript was written before a compiler or bundler made the script that V8 ran: the
// file, line, column and name that a source map gives.
//
// A map is in the URL that the script names, in a file by that URL, in the cache of Node (--enable-source-maps), or
// in other memory that the embedder knows, such as Deno's modules. A map in memory must fit the script.
//
// Files: maps.go (maps of scripts, frames and functions), cache.go (Node's cache), kept.go (maps in other memory).
//
// LIMITATIONS: a script with two maps in memory that differ and both fit has no map. A file is opened only below the
// folders that the script's own path allows.
package original
