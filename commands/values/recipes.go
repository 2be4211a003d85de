package values

import (
	"fmt"
	"strings"
)

// builtinRecipes says how the containers of libraries look to people. A line is a type's
// name without what it was made with, a kind, and paths from a value to its parts: names of
// members, of bases' and nameless members', too, joined by dots; a pointer on the way is
// followed; of alternatives, joined by "|", the first that exists counts. One that ends in "@" is
// a member whose own members are not in the debugging information, and which begins with a pointer.
//
//	string    ptr len           characters
//	sequence  begin end         elements from one pointer to another
//	sequence  ptr len           elements from a pointer on
//	deque     first last        elements in blocks, between two iterators of libstdc++
//	list      first next [end]  nodes, each leads to the next, up to NULL or to the address of end
//	buckets   ptr len next      an array of such lists, of which a hash table is made
//	slots     ptr len [used]    an array of which those count whose "used" is not zero, or is N: "used=PATH:N"
//	tree      head              nodes of libstdc++'s red-black trees
//	ring      ptr cap head len  elements from head on, around the end of a buffer; or with end, the
//	                            index after the last
//	btree     root len          Rust's B-trees, by their root
//	box       -                 a pointer that is shown with what it leads to
//	swiss     table ctrl mask items  a table of Rust's hashbrown
//	pointer   to                what a smart pointer leads to
//	maybe     set value         a value, if set is not zero
//	variant   index             one of the types that it was made with
//	tuple     head              one part of each of the bases that begin with std::_Head_base
//	bits      begin end rest    bits in words, the last one having rest
//	alias     value             shown instead
//
// The value of a node comes after what the pointer to it has as a type; "of=N" says which of
// the types that the container was made with is the element's, "pairs" that elements are keys with
// values. Nodes of a list, of buckets and slots may have it in members instead: "value=PATH", with
// "key=PATH" for a pair; those of a list may be a member "hook=PATH" of the element. Without any of
// these a node is shown itself. A "when" path makes a line count only if what is there is not zero.
//
// Facts: GCC 12 and 14, libstdc++-v3/include/bits; LLVM 14 and 19, libcxx/include; Rust 1.63 and 1.85,
// library/alloc and library/std; Go 1.22, runtime.
const builtinRecipes = `
std::basic_string                 string   ptr=_M_dataplus._M_p|_M_dataplus@ len=_M_string_length
std::__cxx11::basic_string        string   ptr=_M_dataplus._M_p|_M_dataplus@ len=_M_string_length
std::basic_string_view            string   ptr=_M_str len=_M_len
std::vector<bool, std::allocator<bool> > bits begin=_M_impl._M_start._M_p end=_M_impl._M_finish._M_p rest=_M_impl._M_finish._M_offset
std::vector                       sequence begin=_M_impl._M_start end=_M_impl._M_finish
std::deque                        deque    first=_M_impl._M_start last=_M_impl._M_finish of=1
std::list                         list     first=_M_impl._M_node._M_next next=_M_next end=_M_impl._M_node of=1
std::__cxx11::list                list     first=_M_impl._M_node._M_next next=_M_next end=_M_impl._M_node of=1
std::forward_list                 list     first=_M_impl._M_head._M_next next=_M_next of=1
std::set                          tree     head=_M_t._M_impl._M_header of=1
std::multiset                     tree     head=_M_t._M_impl._M_header of=1
std::map                          tree     head=_M_t._M_impl._M_header of=1,2 pairs
std::multimap                     tree     head=_M_t._M_impl._M_header of=1,2 pairs
std::unordered_set                list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1
std::unordered_multiset           list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1
std::unordered_map                list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1,2 pairs
std::unordered_multimap           list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1,2 pairs
std::unique_ptr                   pointer  to=_M_t._M_t._M_head_impl|_M_t._M_head_impl
std::shared_ptr                   pointer  to=_M_ptr
std::weak_ptr                     pointer  to=_M_ptr
std::optional                     maybe    set=_M_payload._M_engaged value=_M_payload._M_payload._M_value
std::variant                      variant  index=_M_index value=_M_u
std::tuple                        tuple    head=_M_head_impl
std::array                        alias    value=_M_elems
std::atomic                       alias    value=_M_b._M_p|_M_i|_M_fp|_M_base._M_i
std::reference_wrapper            pointer  to=_M_data
std::__1::basic_string            string   ptr=__r_.__value_.__l.__data_|__rep_.__l.__data_ len=__r_.__value_.__l.__size_|__rep_.__l.__size_ when=__r_.__value_.__l.__is_long_|__rep_.__l.__is_long_
std::__1::basic_string            string   ptr=__r_.__value_.__s.__data_|__rep_.__s.__data_ len=__r_.__value_.__s.__size_|__rep_.__s.__size_
std::__1::basic_string_view       string   ptr=__data_|__data len=__size_|__size
std::__1::vector                  sequence begin=__begin_ end=__end_
std::__1::list                    list     first=__end_.__next_ next=__next_ end=__end_ of=1
std::__1::unique_ptr              pointer  to=__ptr_.__value_|__ptr_
std::__1::shared_ptr              pointer  to=__ptr_
std::__1::weak_ptr                pointer  to=__ptr_
std::__1::optional                maybe    set=__engaged_ value=__val_
std::__1::array                   alias    value=__elems_
std::__1::unordered_map           list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=8 of=1,2 pairs
std::__1::unordered_set           list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=8 of=1
&str                              string   ptr=data_ptr len=length
&mut str                          string   ptr=data_ptr len=length
alloc::boxed::Box<str>            string   ptr=data_ptr len=length
alloc::string::String             string   ptr=vec.buf.inner.ptr.pointer.pointer|vec.buf.ptr.pointer.pointer|vec.buf.ptr.pointer len=vec.len
alloc::vec::Vec                   sequence ptr=buf.inner.ptr.pointer.pointer|buf.ptr.pointer.pointer|buf.ptr.pointer len=len of=1
&[]                               sequence ptr=data_ptr len=length
&mut []                           sequence ptr=data_ptr len=length
alloc::collections::vec_deque::VecDeque ring ptr=buf.inner.ptr.pointer.pointer|buf.ptr.pointer.pointer cap=buf.inner.cap.__0|buf.inner.cap|buf.cap head=head len=len of=1
alloc::collections::vec_deque::VecDeque ring ptr=buf.ptr.pointer.pointer|buf.ptr.pointer cap=buf.cap head=tail end=head of=1
alloc::collections::btree::map::BTreeMap btree root=root len=length of=1,2 pairs
alloc::collections::btree::set::BTreeSet btree root=map.root len=map.length of=1
alloc::boxed::Box                 box      -
alloc::rc::Rc                     alias    value=ptr.pointer.value
alloc::sync::Arc                  alias    value=ptr.pointer.data
core::cell::Cell                  alias    value=value.value
core::cell::RefCell               alias    value=value.value
core::cell::UnsafeCell            alias    value=value
core::num::nonzero::NonZero       alias    value=__0.__0|__0
std::collections::hash::map::HashMap swiss table=base.table ctrl=base.table.table.ctrl.pointer mask=base.table.table.bucket_mask items=base.table.table.items pairs
std::collections::hash::set::HashSet swiss table=base.map.table ctrl=base.map.table.table.ctrl.pointer mask=base.map.table.table.bucket_mask items=base.map.table.table.items
string                            string   ptr=str len=len
[]                                sequence ptr=array len=len
`

// A recipe is a line of such a table.
type recipe struct {
	kind  string
	paths map[string][]string // by the part's name: the alternatives
	of    []int               // of the element's types; from 1
	pairs bool
	used  int64 // what is in a slot that counts; -1 for anything but zero
	skip  int64 // bytes between the pointers of a node and its value
	when  []string
}

// cutName splits a line after the name, which may have a blank in it: "&mut str".
func cutName(line string) (name, rest string) {
	fields := strings.Fields(line)
	n := 1
	for n < len(fields) && kinds[fields[n]] == nil {
		n++
	}
	return strings.Join(fields[:n], " "), strings.Join(fields[min(n, len(fields)):], " ")
}

func (r *recipe) set(word string) error {
	key, value, ok := strings.Cut(word, "=")
	switch {
	case word == "-":
	case word == "pairs":
		r.pairs = true
	case !ok:
		return fmt.Errorf("%q is not PART=PATH", word)
	case key == "of":
		for _, n := range strings.Split(value, ",") {
			i := 0
			if _, err := fmt.Sscan(n, &i); err != nil || i < 1 {
				return fmt.Errorf("%q is not a number from 1 on", n)
			}
			r.of = append(r.of, i)
		}
	case key == "skip":
		if _, err := fmt.Sscan(value, &r.skip); err != nil || r.skip < 0 || r.skip > 1024 {
			return fmt.Errorf("%q is not a number of bytes", value)
		}
	case key == "when":
		r.when = strings.Split(value, "|")
	case key == "used":
		path, n, ok := strings.Cut(value, ":")
		if r.used = -1; ok {
			if _, err := fmt.Sscan(n, &r.used); err != nil || r.used < 0 {
				return fmt.Errorf("%q is not a number from 0 on", n)
			}
		}
		r.paths[key] = strings.Split(path, "|")
	default:
		r.paths[key] = strings.Split(value, "|")
	}
	return nil
}

// bare returns a type's name without what it was made with: "std::vector<int>" is
// std::vector, "&[u8]" is &[].
func bare(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch c {
		case '<', '[':
			if depth == 0 && c == '[' {
				b.WriteRune('[')
			}
			depth++
		case '>', ']':
			depth--
			if depth == 0 && c == ']' {
				b.WriteRune(']')
			}
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	s := b.String()
	if i := strings.IndexByte(s, ']'); i >= 0 && strings.HasPrefix(s, "[") { // Go's []T
		return s[:i+1]
	}
	return s
}
