package reference

import (
	"fmt"
	"slices"
	"strings"

	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// PartOf says which part of its holder a reference is, where a program has no name for
// it.
func (n *Namer) PartOf(x Word) graph.Reference {
	l := n.Layout
	name := n.Types.Names[x.Type]
	switch {
	case x.Offset == 0:
		return part("hidden class")
	case x.Type >= n.Types.FirstReceiver:
		return n.partOfReceiver(x)
	case x.Type == n.Types.MapType:
		return n.partOfMap(x)
	case n.IsContext(x.Holder):
		return n.partOfContext(x)
	case strings.Contains(name, "DESCRIPTOR_ARRAY") && x.Offset >= l.DescriptorArray.Header:
		entry := (x.Offset - l.DescriptorArray.Header) / n.Slots(l.DescriptorArray.EntryWords)
		key, _ := n.Field(x.Holder, l.DescriptorArray.Header+
			n.Slots(entry*l.DescriptorArray.EntryWords+l.DescriptorArray.Key))
		return graph.Reference{Kind: graph.Property, Name: n.keyName(key)}
	case name == "ACCESSOR_PAIR_TYPE" && x.Offset == l.AccessorPair.Getter:
		return plain("getter")
	case name == "ACCESSOR_PAIR_TYPE" && x.Offset == l.AccessorPair.Setter:
		return plain("setter")
	case name == "ALLOCATION_SITE_TYPE" && n.IsReceiver(x.Target):
		return plain("what a literal copies")
	case strings.Contains(name, "WEAK_CELL") && n.TypeNamed(x.Target, "WEAK_CELL"):
		return plain("a further registration")
	case strings.Contains(name, "WEAK_CELL") && !n.TypeNamed(x.Target, "FINALIZATION_REGISTRY"):
		return plain("held value")
	case n.TypeNamed(x.Target, "PROPERTY_CELL"):
		key, _ := n.Field(x.Target, l.PropertyCell.Name)
		return graph.Reference{Kind: graph.Variable, Name: n.keyName(key)}
	case strings.Contains(name, "HASH_TABLE") && n.TypeNamed(x.Target, "CELL_TYPE"):
		if key := n.exportOf(x); key != "" {
			return graph.Reference{Kind: graph.Variable, Name: key}
		}
	case n.heap.TypeClass(x.Type, x.Holder) == "(array)":
		return graph.ElementAt(uint64((x.Offset - l.FixedArray.Data) / n.SlotSize()))
	}
	return n.FieldOf(x)
}

// exportOf returns the exported name of the variable whose cell a table refers to: SourceTextModule::exports
// has names and cells by turns.
func (n *Namer) exportOf(x Word) string {
	key, ok := n.Field(x.Holder, x.Offset-n.SlotSize())
	if !ok || !n.IsString(key) {
		return ""
	}
	return text.Clip(n.Text(key), 60)
}

func (n *Namer) partOfReceiver(x Word) graph.Reference {
	l := n.Layout
	k := n.KindOf(x.Holder, n.ShapeOf(x.Holder))
	g := &l.JSGeneratorObject
	switch off := x.Offset; {
	case off == l.JSReceiver.Properties:
		return properties
	case off == l.JSObject.Elements:
		return elements
	case isCollection(k) && off == l.JSCollection.Table:
		return entries
	case n.IsBound(x.Holder) && off == l.JSBoundFunction.Arguments:
		return part("bound arguments")
	case k == object.KindFunction && off == l.JSFunction.Context, k == object.KindGenerator && off == g.Context:
		return part("scope")
	case k == object.KindFunction && off == l.JSFunction.Shared:
		return part("function info")
	case k == object.KindFunction && off == l.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		return part("initial hidden class")
	case k == object.KindGenerator && off == g.Function:
		return part("function")
	case k == object.KindGenerator && off == g.Promise:
		return part("promise")
	case k == object.KindGenerator && !n.IsReceiver(x.Target):
		return part("variables")
	case k == object.KindPromise && off == l.JSPromise.Reactions:
		return part("reactions")
	case n.TypeNamed(x.Target, "WEAK_CELL"):
		return part("registrations")
	}
	return n.FieldOf(x)
}

func (n *Namer) partOfMap(x Word) graph.Reference {
	l, targetMap := n.Layout, n.IsMap(x.Target)
	switch {
	case x.Offset == l.Map.Prototype:
		return plain("prototype")
	case x.Offset == l.Map.Descriptors:
		return part("property descriptions")
	case x.Offset == l.Map.Constructor && targetMap:
		return plain("the hidden class that it comes from")
	case x.Offset == l.Map.Constructor:
		return plain("constructor")
	case targetMap || n.TypeNamed(x.Target, "TRANSITION"):
		return plain("hidden classes that come of it")
	}
	return n.FieldOf(x)
}

func (n *Namer) partOfContext(x Word) graph.Reference {
	slot := (x.Offset - n.Layout.Context.Data) / n.SlotSize()
	c, err := n.Context(x.Holder)
	switch {
	case x.Offset == n.Layout.Context.Previous:
		return plain("the scope around")
	case err == nil && c.Native && (n.TypeNamed(x.Target, "JS_GLOBAL_OBJECT") ||
		n.TypeNamed(x.Target, "JS_GLOBAL_PROXY")):
		return plain("the global object")
	case slot == 0:
		return part("variables' names")
	}
	return plain(fmt.Sprintf("slot %d", slot))
}

// FieldOf names a field as V8 does, or by its place.
func (n *Namer) FieldOf(x Word) graph.Reference {
	class, err := n.ClassOf(x.Holder)
	if err != nil {
		return graph.Reference{}
	}
	classes := n.Classes()
	for class != "" {
		i, ok := slices.BinarySearchFunc(classes, class,
			func(c object.ClassInfo, name string) int { return strings.Compare(c.Name, name) })
		if !ok {
			break
		}
		for _, f := range classes[i].Fields {
			if f.Offset == x.Offset && f.Tagged() {
				return part(strings.ReplaceAll(f.Name, "_", " "))
			}
		}
		class = classes[i].Parent
	}
	return graph.Reference{Kind: Unnamed, Name: fmt.Sprintf("+%#x", x.Offset)}
}
