package commands

import "reflect"

// Keep keeps state that a package's commands share in a session. T is a type of that package; a session has one T.
func Keep[T any](s *Session, x *T) {
	if s.kept == nil {
		s.kept = map[reflect.Type]any{}
	}
	s.kept[reflect.TypeFor[T]()] = x
}

// Kept returns the session's T, or nil before Keep.
func Kept[T any](s *Session) *T {
	x, _ := s.kept[reflect.TypeFor[T]()].(*T)
	return x
}
