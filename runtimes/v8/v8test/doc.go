// Package v8test lays out memory as V8 does, for the tests of its decoder: a Heap
// object by object, a MadeHeap word by word for fuzzing.
package v8test
