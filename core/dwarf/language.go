package dwarf

// A Language is the source language of a unit (DWARF 5, table 7.17).
type Language uint16

// The languages whose names and values are spelt in their own way.
const (
	LangD    Language = 0x13
	LangGo   Language = 0x16
	LangRust Language = 0x1c
)

// Ada reports whether the language is Ada, of any year.
func (l Language) Ada() bool { return l == 0x03 || l == 0x0d || l == 0x2e || l == 0x2f }

// lowest returns the index of an array's first element where its type does not say it (DWARF 5,
// table 7.17): 1 in Fortran, Ada, Pascal, COBOL, PL/I, Modula-2 and Julia, else 0.
func (l Language) lowest() int64 {
	switch l {
	case 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f, 0x17, 0x1f, 0x22, 0x23, 0x2d, 0x2e, 0x2f:
		return 1
	}
	return 0
}

// C reports whether the language is a C: of 1989 to 2017.
func (l Language) C() bool {
	switch l {
	case 0x01, 0x02, 0x0c, 0x1d, 0x2c:
		return true
	}
	return false
}

// CPlusPlus reports whether the language is C++, of any year (DWARF 5, section 7.12; later codes by the DWARF
// committee).
func (l Language) CPlusPlus() bool {
	switch l {
	case 0x04, 0x11, 0x19, 0x1a, 0x21, 0x2a, 0x2b:
		return true
	}
	return false
}

// Fortran reports whether the language is Fortran, of any year.
func (l Language) Fortran() bool {
	switch l {
	case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d:
		return true
	}
	return false
}

// Pascal reports whether the language is Pascal or Modula.
func (l Language) Pascal() bool { return l == 0x09 || l == 0x0a || l == 0x17 }
