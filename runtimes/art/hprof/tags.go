package hprof

// A heapID is one of Android's heaps.
type heapID uint32

// The heaps; segments begin with the default one.
const (
	heapDefault heapID = 0
	heapApp     heapID = 'A'
	heapZygote  heapID = 'Z'
	heapImage   heapID = 'I'
)

// name returns what tools show.
func (h heapID) name() string {
	switch h {
	case heapZygote:
		return "zygote"
	case heapImage:
		return "image"
	}
	return "app"
}
