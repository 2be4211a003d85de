// Package format reads how DWARF is written: sections, abbreviations, and values of attributes.
// It knows no units.
//
// Files: offset.go (where entries lie), const.go (tags, attributes, forms), ops.go (operations of expressions),
// abbrev.go (the shapes of entries), value.go (values of attributes), sections.go (the sections of an image),
// package.go (the sections of split units).
//
// Facts: DWARF 5 (dwarfstd.org), and GNU's extensions.
//
// LIMITATIONS: reading a unit ends at an attribute whose form has no name here, as its size is not known.
package format
