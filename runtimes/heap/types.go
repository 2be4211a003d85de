package heap

import "sync"

// Types numbers the types of a heap's objects, in the order of their first use. K identifies a type, T
// describes it. The zero value is empty. It is safe for concurrent use.
type Types[K comparable, T any] struct {
	mu   sync.Mutex
	by   map[K]*T
	list []*T
}

// Of returns the type with a number. It returns nil if no type has it.
func (y *Types[K, T]) Of(number int32) *T {
	y.mu.Lock()
	defer y.mu.Unlock()
	if number < 0 || int(number) >= len(y.list) {
		return nil
	}
	return y.list[number]
}

// All returns the types by number; more may come after them.
func (y *Types[K, T]) All() []*T {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.list
}

// Get returns the type that key identifies. Describe makes it when it is first asked for; it may not use y.
func (y *Types[K, T]) Get(key K, describe func(number int32) *T) *T {
	y.mu.Lock()
	defer y.mu.Unlock()
	if have := y.by[key]; have != nil {
		return have
	}
	if y.by == nil {
		y.by = map[K]*T{}
	}
	t := describe(int32(len(y.list)))
	y.by[key], y.list = t, append(y.list, t)
	return t
}

// A TypeView reads Types without their lock, for one goroutine.
type TypeView[K comparable, T any] struct {
	Types *Types[K, T]
	list  []*T
}

// Of returns the type with a number. It returns nil if no type has it.
func (v *TypeView[K, T]) Of(number int32) *T {
	if number < 0 {
		return nil
	}
	if int(number) >= len(v.list) {
		if v.list = v.Types.All(); int(number) >= len(v.list) {
			return nil
		}
	}
	return v.list[number]
}
