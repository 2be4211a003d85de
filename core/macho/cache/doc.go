// Package cache reads dyld's shared cache of its files: the images that are in it, their bytes, and the local
// symbols that its builder took out of them. Which cache a process used, and where, is for
// core/macho/machocore to find out.
//
// The object chain: dyld_cache_header to mappings, to the other files of the cache, to images by path, to
// dyld_cache_local_symbols_info. Source: dyld-1284, cache-builder/dyld_cache_format.h.
//
// Map of the files:
//
//	cache.go  all of it
//
// LIMITATIONS: data of the cache is not taken from its files: its pointers would have to be slid.
package cache
