package macho

type fixer interface{}

func (f *File) newFixer() fixer { return nil }
