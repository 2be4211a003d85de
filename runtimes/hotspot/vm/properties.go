package vm

import (
	"cmp"
	"slices"

	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/object"
)

// maxProperties bounds the system properties, and the slots of their table; maxValue the units of a value.
const (
	maxProperties = 1 << 14
	maxValue      = 1 << 14
)

// properties reads System.props: a Properties, which has a ConcurrentHashMap, and before JDK 9 is a Hashtable itself.
func (d *describer) properties() (out []runtimes.JavaProperty) {
	o, err := d.system("props")
	if err != nil {
		d.problem("system properties: %v", err)
		return nil
	}
	key := "key"
	if at, ok := d.r.RefField(o, "map"); ok && at != 0 {
		if o, err = d.r.Object(at); err != nil {
			d.problem("system properties: %v", err)
			return nil
		}
	}
	table, _ := d.r.RefField(o, "table")
	slots, err := d.r.ArrayRefs(table, maxProperties)
	if err != nil {
		d.problem("system properties: %v", err)
	}
	for _, at := range slots {
		for n := 0; at != 0 && n < 1<<10 && len(out) < maxProperties; n++ {
			e, err := d.r.Object(at)
			if err != nil {
				break
			}
			p := runtimes.JavaProperty{Name: d.string(e, key)}
			if p.Value = d.string(e, "val"); p.Value == "" {
				p.Value = d.string(e, "value")
			}
			if p.Name != "" {
				out = append(out, p)
			}
			at, _ = d.r.RefField(e, "next")
		}
	}
	slices.SortFunc(out, func(x, y runtimes.JavaProperty) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

// string returns the String that a field of an object holds; "" if it holds none.
func (d *describer) string(o object.Object, field string) string {
	at, ok := d.r.RefField(o, field)
	if !ok || at == 0 || !d.r.IsString(at) {
		return ""
	}
	s, _ := d.r.String(at, maxValue)
	return s.Value
}

// system returns the object that a static field of java.lang.System holds.
func (d *describer) system(field string) (object.Object, error) {
	klass := d.PointerAt(0, "vmClasses._klasses[static_cast<int>(vmClassID::System_klass_knum)]",
		"vmClasses._klasses[static_cast<int>(VM_CLASS_ID(System_klass_knum))]",
		"SystemDictionary._well_known_klasses[SystemDictionary::System_klass_knum]")
	k, err := d.r.Class(klass)
	if err != nil {
		return object.Object{}, err
	}
	_, at, ok := d.r.StaticField(k, field)
	if !ok {
		return object.Object{}, errNoField
	}
	ref, _ := d.r.Ref(at)
	return d.r.Object(ref)
}
