// Package text reads the strings of V8's heap, and its BigInts as text.
//
// The object chain: a String has its length and a map, whose type says how it keeps its characters: in itself, in two
// other strings, in a part of another one, in the string that it stands for, or with the embedder, in a resource.
//
// Files: strings.go, external.go (resources of embedders), wtf8.go (surrogates without a partner), number.go (BigInts).
//
// Upstream: objects/string.h, objects/bigint.h, include/v8-primitive.h; Blink's platform/bindings/string_resource.h and
// platform/wtf/text/string_impl.h. Versions: V8 7.4 to 15.8.
//
// LIMITATIONS: some external strings do not have the address of their characters themselves, because they are small or
// the characters may move. They are read only if their resource has a known layout: V8's copy of the address since V8
// 9.0, an address that the length follows, or Blink's text. Text that Blink has parked is not read, nor on Windows text
// that it may park.
package text
