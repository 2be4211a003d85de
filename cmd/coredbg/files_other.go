//go:build !unix

package main

// enoughFiles is only a question on Unix.
func enoughFiles() error { return nil }
