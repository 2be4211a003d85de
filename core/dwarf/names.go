package dwarf

import (
	"cmp"
	"slices"

	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// maxTabled bounds the indexes of single names that are kept.
const maxTabled = 256

// indexFor returns an index that has name, according to has: the index of the units that name tables
// list, or else the index of all units.
func (d *Data) indexFor(name string, has func(*indexed) bool) *indexed {
	if d.full.Load() {
		return d.index()
	}
	if x := d.tabled(name); x != nil && has(x) {
		return x
	}
	return d.index()
}

// tabled returns the index of the units that tables name; nil if they name none.
func (d *Data) tabled(name string) *indexed {
	tables := d.tables()
	if len(tables) == 0 || name == "" {
		return nil
	}
	d.mu.Lock()
	x, ok := d.byName[name]
	d.mu.Unlock()
	if ok {
		return x
	}
	var units []*Unit
	for _, t := range tables {
		for _, off := range t.Units(name) {
			u := d.unitFrom(off)
			if u != nil && len(units) < index.MaxSame && !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	if len(units) > 0 {
		x = d.indexUnits(units)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.byName) >= maxTabled {
		clear(d.byName)
	}
	d.byName[name] = x
	return x
}

// unitFrom returns the unit that begins at an offset of .debug_info; nil if there is no such unit.
func (d *Data) unitFrom(off format.Offset) *Unit {
	i, ok := slices.BinarySearchFunc(d.own.units, off, func(u *Unit, off format.Offset) int {
		return cmp.Compare(u.Off,
			off)
	})
	if !ok {
		return nil
	}
	return d.own.units[i]
}
