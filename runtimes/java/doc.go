// Package java has words about Java that are the same whatever machine runs it.
//
// Files:
//
//	primitive.go  primitive types, and the names of types
//
// Source: the Java Virtual Machine Specification, chapter 4.3.
package java
