package inspect

// InspectOptions say how much of a value to decode.
type InspectOptions struct {
	// Depth is the number of levels of objects inside the value that are
	// opened; negative for as many as MaxValues allows.
	Depth int
	// MaxArray bounds the elements, entries and bytes of one object, and
	// MaxProperties its named properties.
	MaxArray, MaxProperties int
	// MaxString bounds the code units of one string.
	MaxString int
	// MaxValues bounds the values of the whole tree.
	MaxValues int
	// ShowHidden asks for the accessors and data of prototypes too.
	ShowHidden bool
	// Custom runs the objects' functions [util.inspect.custom] over the heap. Without it objects are shown as
	// they are.
	Custom bool
}

// DefaultInspect are the limits of util.inspect, with one for the whole.
func DefaultInspect() InspectOptions {
	return InspectOptions{Depth: 2, MaxArray: 100, MaxProperties: 10_000, MaxString: 10_000,
		MaxValues: 200_000, Custom: true}
}

// maxValues bounds the values of a tree, whatever was asked for: they take a few
// gigabytes.
const maxValues = 1 << 23

// Show sets how many elements, entries, bytes and properties of one object are
// decoded. The whole tree may then have as many values as that takes.
func (o *InspectOptions) Show(n int) {
	o.MaxArray, o.MaxProperties = n, max(o.MaxProperties, n)
	o.MaxValues = max(o.MaxValues, min(n, maxValues/4)*4)
}

// maxDepth bounds the levels of a tree, whatever was asked for.
const maxDepth = 400
