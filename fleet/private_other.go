//go:build !unix

package main

// private does nothing where files have no modes.
func private() {}
