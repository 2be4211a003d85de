// Package secret knows which strings that a process was started with are secrets, and finds these and pieces
// of them in bytes. It knows neither processes nor bundles.
//
// Map of the files:
//
//	secret.go  which values are secrets, and how programs may hold them: bytes, Latin-1, UTF-16, UTF-32
//	grams.go   Grams: pieces of a few bytes, and which of them are common; Sweep: bytes searched piece by piece
//
// LIMITATIONS: what is encoded otherwise, as in base64, is not found, nor are values of fewer than Min bytes.
package secret
