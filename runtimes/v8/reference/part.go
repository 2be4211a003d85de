package reference

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// PartOf says which part of its holder a reference is, where a program has no name for
// it.
func (n *Namer) PartOf(x Word) string {
	l := n.Layout
	name := n.Types.Names[x.Type]
	switch {
	case x.Offset == 0:
		return "its hidden class"
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
		return "property " + n.keyName(key)
	case name == "ACCESSOR_PAIR_TYPE" && x.Offset == l.AccessorPair.Getter:
		return "getter"
	case name == "ACCESSOR_PAIR_TYPE" && x.Offset == l.AccessorPair.Setter:
		return "setter"
	case name == "ALLOCATION_SITE_TYPE" && n.IsReceiver(x.Target):
		return "what a literal copies"
	case strings.Contains(name, "WEAK_CELL") && n.TypeNamed(x.Target, "WEAK_CELL"):
		return "a further registration"
	case strings.Contains(name, "WEAK_CELL") && !n.TypeNamed(x.Target, "FINALIZATION_REGISTRY"):
		return "held value"
	case n.TypeNamed(x.Target, "PROPERTY_CELL"):
		key, _ := n.Field(x.Target, l.PropertyCell.Name)
		return "variable " + n.keyName(key)
	case strings.Contains(name, "HASH_TABLE") && n.TypeNamed(x.Target, "CELL_TYPE"):
		if key := n.exportOf(x); key != "" {
			return "variable " + key
		}
	case n.heap.TypeClass(x.Type, x.Holder) == "(array)":
		return fmt.Sprintf("element %d", (x.Offset-l.FixedArray.Data)/n.SlotSize())
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

func (n *Namer) partOfReceiver(x Word) string {
	l := n.Layout
	k := n.KindOf(x.Holder, n.ShapeOf(x.Holder))
	g := &l.JSGeneratorObject
	switch off := x.Offset; {
	case off == l.JSReceiver.Properties:
		return "its properties"
	case off == l.JSObject.Elements:
		return "its elements"
	case isCollection(k) && off == l.JSCollection.Table:
		return "its entries"
	case n.IsBound(x.Holder) && off == l.JSBoundFunction.Arguments:
		return "its bound arguments"
	case k == object.KindFunction && off == l.JSFunction.Context, k == object.KindGenerator && off == g.Context:
		return "its scope"
	case k == object.KindFunction && off == l.JSFunction.Shared:
		return "its function info"
	case k == object.KindFunction && off == l.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		return "its initial hidden class"
	case k == object.KindGenerator && off == g.Function:
		return "its function"
	case k == object.KindGenerator && off == g.Promise:
		return "its promise"
	case k == object.KindGenerator && !n.IsReceiver(x.Target):
		return "its variables"
	case k == object.KindPromise && off == l.JSPromise.Reactions:
		return "its reactions"
	case n.TypeNamed(x.Target, "WEAK_CELL"):
		return "its registrations"
	}
	return n.FieldOf(x)
}

func (n *Namer) partOfMap(x Word) string {
	l, targetMap := n.Layout, n.IsMap(x.Target)
	switch {
	case x.Offset == l.Map.Prototype:
		return "prototype"
	case x.Offset == l.Map.Descriptors:
		return "its property descriptions"
	case x.Offset == l.Map.Constructor && targetMap:
		return "the hidden class that it comes from"
	case x.Offset == l.Map.Constructor:
		return "constructor"
	case targetMap || n.TypeNamed(x.Target, "TRANSITION"):
		return "hidden classes that come of it"
	}
	return n.FieldOf(x)
}

func (n *Namer) partOfContext(x Word) string {
	slot := (x.Offset - n.Layout.Context.Data) / n.SlotSize()
	c, err := n.Context(x.Holder)
	switch {
	case x.Offset == n.Layout.Context.Previous:
		return "the scope around"
	case err == nil && c.Native && (n.TypeNamed(x.Target, "JS_GLOBAL_OBJECT") ||
		n.TypeNamed(x.Target, "JS_GLOBAL_PROXY")):
		return "the global object"
	case slot == 0:
		return "its variables' names"
	}
	return fmt.Sprintf("slot %d", slot)
}

// FieldOf names a field as V8 does, or by its place.
func (n *Namer) FieldOf(x Word) string {
	class, err := n.ClassOf(x.Holder)
	if err != nil {
		return ""
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
				return "its " + strings.ReplaceAll(f.Name, "_", " ")
			}
		}
		class = classes[i].Parent
	}
	return fmt.Sprintf("its word at +%#x", x.Offset)
}
