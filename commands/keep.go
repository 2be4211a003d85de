package commands

import "reflect"

// Keep keeps what a package of commands has to know of a session from one command to the next. T is a type of
// that package.
func Keep[T any](s *Session, x *T) {
	if s.kept == nil {
		s.kept = map[reflect.Type]any{}
	}
	s.kept[reflect.TypeFor[T]()] = x
}

// Kept returns the T that was kept last; nil if none was.
func Kept[T any](s *Session) *T {
	x, _ := s.kept[reflect.TypeFor[T]()].(*T)
	return x
}
