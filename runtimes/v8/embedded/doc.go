// Package embedded reads the constants and the embedded builtins, with their numbers and names,
// that V8's build puts into an executable or library.
//
// The object chain: among the constants there is the text "InterpreterEntryTrampoline"; what
// leads to that is an entry of builtin_metadata, which has the name and the kind of each
// builtin by its number (builtins/builtins.cc: BuiltinMetadata), in release builds too, as the
// profiler asks for names. The description of the builtins (snapshot/embedded/embedded-data.h:
// LayoutDescription) has, by the same number, the offset of each builtin's code. Variables of V8, or the
// padding between builtins, show the code that these offsets refer to. Without a description, a running isolate
// has the addresses (execution/isolate-data.h:
// builtin_entry_table_).
//
// So a stripped image names its builtins itself, and no list of them by version is needed.
//
// Files: constants.go (the bytes of an image), builtins.go (what is found), description.go,
// code.go and isolates.go (where the code is), padding.go (the same where variables are
// missing), names.go (what builtins are called).
//
// Versions: V8 7.4 (Node 12) to 15.8; descriptions with entries of 8 bytes (until 9.0), 16
// (9.4), 28 (10.2) and 12 (since 11).
//
// LIMITATIONS: images for 64 bits. The names need the image's file, or a core with its
// constants; where pointers of the image are written when it is loaded, the core must have
// them.
package embedded
