package typed

import (
	"slices"
	"strings"

	"coredbg/core/dwarf"
)

// A container is a class template whose pointers lead to more than their types say.
type container struct {
	class  string // the template
	param  int    // of the template: what it holds
	label  string // of its blocks
	pairs  string // the label if it holds pairs; "" for the same
	kind   containerKind
	head   uint64   // words of a node before what it holds
	links  []string // the pointers that lead to its blocks
	finish string   // the pointer to the end of the part of a buffer that is in use; one to the buffer's end follows
	back   uint64   // words from the beginning of the block to where the pointer leads
}

type containerKind uint8

const (
	nodes    containerKind = iota // blocks with a head and a value
	buffer                        // one block of values
	blocks                        // one block of pointers to blocks of values
	payload                       // it holds the value itself, as bytes
	counting                      // as payload, in a member of a name
)

// containers are the templates of libstdc++ and libc++.
var containers = []container{
	{"std::_Rb_tree", 1, "std::set", "std::map", nodes, 4, []string{"_M_parent", "_M_left", "_M_right"}, "", 0},
	{"std::_Hashtable", 1, "std::unordered_set", "std::unordered_map", nodes, 1,
		[]string{"_M_nxt", "_M_buckets"}, "", 0},
	{"std::__cxx11::_List_base", 0, "std::list", "", nodes, 2, []string{"_M_next", "_M_prev"}, "", 0},
	{"std::_List_base", 0, "std::list", "", nodes, 2, []string{"_M_next", "_M_prev"}, "", 0},
	{"std::_Fwd_list_base", 0, "std::forward_list", "", nodes, 1, []string{"_M_next"}, "", 0},
	{"std::_Vector_base", 0, "std::vector", "", buffer, 0, []string{"_M_start"}, "_M_finish", 0},
	{"std::_Deque_base", 0, "std::deque", "", blocks, 0, []string{"_M_map"}, "", 0},
	{"std::__cxx11::basic_string", 0, "std::string", "", buffer, 0, []string{"_M_p"}, "", 0},
	// behind a length, a capacity and a count
	{"std::basic_string", 0, "std::string", "", buffer, 0, []string{"_M_p"}, "", 3},
	{"std::_Sp_counted_ptr_inplace", 0, "", "", counting, 0, []string{"_M_storage"}, "", 0},
	{"std::__1::__tree", 0, "std::set", "std::map", nodes, 4, []string{"__begin_node_", "__left_", "__right_",
		"__parent_"}, "", 0},
	{"std::__1::__hash_table", 0, "std::unordered_set", "std::unordered_map", nodes, 2,
		[]string{"__next_", "__value_", "__ptr_"}, "", 0},
	{"std::__1::__list_imp", 0, "std::list", "", nodes, 2, []string{"__next_", "__prev_"}, "", 0},
	{"std::__1::__forward_list_base", 0, "std::forward_list", "", nodes, 1, []string{"__next_"}, "", 0},
	{"std::__1::vector", 0, "std::vector", "", buffer, 0, []string{"__begin_"}, "__end_", 0},
	{"std::__1::deque", 0, "std::deque", "", blocks, 0, []string{"__first_"}, "", 0},
	{"std::__1::basic_string", 0, "std::string", "", buffer, 0, []string{"__data_"}, "", 0},
	{"std::__1::__shared_ptr_emplace", 0, "", "", counting, 0, []string{"__storage_"}, "", 0},
}

// containerOf returns the container that a type is, and the type of its values; nil for another type.
func containerOf(t *dwarf.Type) (*container, *dwarf.Type) {
	name := t.Qualified()
	if !strings.HasPrefix(name, "std::") {
		return nil, nil
	}
	name, _, ok := strings.Cut(name, "<")
	if !ok {
		return nil, nil
	}
	i := slices.IndexFunc(containers, func(c container) bool { return c.class == name })
	if i < 0 {
		return nil, nil
	}
	c := &containers[i]
	params := t.TemplateParams()
	if c.param >= len(params) {
		return nil, nil
	}
	return c, params[c.param].Type()
}

// held returns what a container's blocks hold: libc++ wraps pairs.
func held(t *dwarf.Type) *dwarf.Type {
	s := t.Strip()
	if s == nil || !strings.HasPrefix(s.Qualified(), "std::__1::__") {
		return t
	}
	for _, name := range []string{"__cc_", "__cc"} {
		if m, ok := s.Find(name); ok {
			return m.Type().Strip()
		}
	}
	return t
}

// labelFor returns what the blocks of a container are called.
func (c *container) labelFor(value *dwarf.Type) string {
	if s := held(value).Strip(); c.pairs != "" && s != nil && strings.Contains(s.Qualified(), "::pair<") {
		return c.pairs
	}
	return c.label
}
