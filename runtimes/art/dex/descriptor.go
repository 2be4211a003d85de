package dex

import "strings"

var primitives = map[byte]string{
	'Z': "boolean", 'B': "byte", 'C': "char", 'S': "short", 'I': "int",
	'J': "long", 'F': "float", 'D': "double", 'V': "void",
}

// TypeName returns a descriptor as Java writes the type: "[Ljava/lang/String;" is "java.lang.String[]". An
// invalid descriptor is returned unchanged.
func TypeName(descriptor string) string {
	element := strings.TrimLeft(descriptor, "[")
	dims := len(descriptor) - len(element)
	var name string
	switch {
	case len(element) == 1 && primitives[element[0]] != "":
		name = primitives[element[0]]
	case len(element) > 2 && element[0] == 'L' && element[len(element)-1] == ';':
		name = strings.ReplaceAll(element[1:len(element)-1], "/", ".")
	default:
		return descriptor
	}
	return name + strings.Repeat("[]", dims)
}

// String returns the method as ART's dumps print it, with its class and
// without its prototype: "java.lang.Thread.run".
func (m Method) String() string { return TypeName(m.Class) + "." + m.Name }

// Pretty returns the method with its prototype, as ART's PrettyMethod does:
// "void java.lang.Thread.sleep(java.lang.Object, long, int)".
func (m Method) Pretty() string {
	params := make([]string, len(m.Proto.Params))
	for i, d := range m.Proto.Params {
		params[i] = TypeName(d)
	}
	return TypeName(m.Proto.Return) + " " + m.String() + "(" + strings.Join(params, ", ") + ")"
}
