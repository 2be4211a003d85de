package view

import (
	"fmt"
	"strconv"
	"strings"
)

// builtinRecipes describes the containers of libraries. A line is a type's name without template arguments, a
// kind, and paths from a value to its parts: names of members, of bases' and nameless members', too, joined by
// dots; a pointer on the way is followed; the first existing one of the alternatives joined by "|" counts. A
// path that ends in "@" is a member whose own members are not in the debugging information, and which begins
// with a pointer.
//
//	string    ptr len           characters
//	sequence  begin end         elements from one pointer to another
//	sequence  ptr len           elements from a pointer on
//	deque     first last        elements in blocks, between two iterators of libstdc++
//	list      first next [end]  nodes, each leads to the next, up to NULL or to the address of end
//	buckets   ptr len next      an array of such lists, which make a hash table
//	slots     ptr len [used]    an array whose slots count if "used" is not zero, or is N: "used=PATH:N"
//	tree      root left right   nodes of a binary tree in order
//	blocks    ptr start len     elements in blocks that an array of pointers leads to, "block=BYTES:N": of BYTES,
//	                            with at least N elements
//	ring      ptr cap head len  elements from head on, around the end of a buffer; or with end, the
//	                            index after the last
//	btree     root len          Rust's B-trees, by their root
//	box       -                 a pointer that is shown with its target
//	swiss     table ctrl mask items  a table of Rust's hashbrown
//	pointer   to                the target of a smart pointer
//	maybe     set value         a value, if set is not zero
//	variant   index             one of the types among its template arguments
//	tuple     head base         one part of each base that is made from a template
//	bits      begin end rest    bits in words, the last one having rest
//	bits      begin len         bits in words, or in the member itself
//	alias     value             shown instead
//	erased    to value          the value of an object whose class names its type: the Nth template argument
//	                            of the object's class, "of=N"
//	erased    by here there     a value whose type a pointer to a member function of a class names: the last template
//	                            argument of the class, as "also" says as well. It is here if the class is called "class=NAME", or
//	                            if its constant "constant=NAME" is not 0, else there leads to it
//	trait     to                a pointer that is a trait object of Rust; its target comes after
//	                            "skip=BYTES", or "skip=Nw", words
//	duration  value             a std::chrono::duration
//	moment    value             a std::chrono::time_point
//
// The length of bits and sequences may be "#N", the Nth template argument of the container.
//
// The value of a node comes after the fields of the pointer's target type, or, if a part of the container was
// made with the template "node=NAME", is its member "at". "of=N" says which template argument of the container
// is the element's type, and "pairs" that elements are keys with values. Nodes of a list, of buckets and slots
// may have the value in members instead: "value=PATH", with "key=PATH" for a pair; nodes of a list may be a
// member "hook=PATH" of the element. Without any of these a node is shown itself. A "when" path makes a line
// count only if its value is not zero, a "lacks" path only if it does not exist, and a "begins" path only if
// the value begins with it. A number may be some bits of a path's value: PATH&MASK, PATH>>BITS.
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
std::list                         list     first=_M_impl._M_node._M_next next=_M_next end=_M_impl._M_node of=1 node=_List_node at=_M_storage|_M_data
std::__cxx11::list                list     first=_M_impl._M_node._M_next next=_M_next end=_M_impl._M_node of=1 node=_List_node at=_M_storage|_M_data
std::forward_list                 list     first=_M_impl._M_head._M_next next=_M_next of=1 node=_Fwd_list_node at=_M_storage
std::set                          tree     root=_M_t._M_impl._M_header._M_parent left=_M_left right=_M_right of=1 node=_Rb_tree_node at=_M_storage|_M_value_field
std::multiset                     tree     root=_M_t._M_impl._M_header._M_parent left=_M_left right=_M_right of=1 node=_Rb_tree_node at=_M_storage|_M_value_field
std::map                          tree     root=_M_t._M_impl._M_header._M_parent left=_M_left right=_M_right of=1,2 pairs node=_Rb_tree_node at=_M_storage|_M_value_field
std::multimap                     tree     root=_M_t._M_impl._M_header._M_parent left=_M_left right=_M_right of=1,2 pairs node=_Rb_tree_node at=_M_storage|_M_value_field
std::unordered_set                list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1 node=_Hash_node at=_M_storage|_M_v
std::unordered_multiset           list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1 node=_Hash_node at=_M_storage|_M_v
std::unordered_map                list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1,2 pairs node=_Hash_node at=_M_storage|_M_v
std::unordered_multimap           list     first=_M_h._M_before_begin._M_nxt next=_M_nxt of=1,2 pairs node=_Hash_node at=_M_storage|_M_v
std::unique_ptr                   pointer  to=_M_t._M_t._M_head_impl|_M_t._M_head_impl
std::shared_ptr                   pointer  to=_M_ptr
std::weak_ptr                     pointer  to=_M_ptr
std::optional                     maybe    set=_M_payload._M_engaged value=_M_payload._M_payload._M_value
std::variant                      variant  index=_M_index value=_M_u
std::tuple                        tuple    head=_M_head_impl base=_Head_base
std::array                        alias    value=_M_elems
std::atomic                       alias    value=_M_b._M_p|_M_i|_M_fp|_M_base._M_i
std::reference_wrapper            pointer  to=_M_data
std::function                     erased   by=_M_manager also=_M_invoker here=_M_functor there=_M_functor._M_unused._M_object constant=__stored_locally
std::any                          erased   by=_M_manager here=_M_storage._M_buffer there=_M_storage._M_ptr class=_Manager_internal
std::bitset                       bits     begin=_M_w len=#1
std::span                         sequence ptr=_M_ptr len=_M_extent._M_extent_value|#2 of=1
std::initializer_list             sequence ptr=_M_array len=_M_len
std::valarray                     sequence ptr=_M_data len=_M_size
std::queue                        alias    value=c
std::stack                        alias    value=c
std::priority_queue               alias    value=c
std::expected                     alias    value=_M_val when=_M_has_value
std::expected                     alias    value=_M_unex
std::filesystem::path             alias    value=_M_pathname
std::filesystem::__cxx11::path    alias    value=_M_pathname
std::thread::id                   alias    value=_M_thread
std::chrono::duration             duration value=__r
std::chrono::time_point           moment   value=__d
std::__1::basic_string            string   ptr=__r_.__value_.__l.__data_|__rep_.__l.__data_ len=__r_.__value_.__l.__size_|__rep_.__l.__size_ when=__r_.__value_.__l.__is_long_|__rep_.__l.__is_long_
std::__1::basic_string            string   ptr=__r_.__value_.__l.__data_ len=__r_.__value_.__l.__size_ when=__r_.__value_.__s.__size_&1 lacks=__r_.__value_.__l.__is_long_ begins=__r_.__value_.__s.__size_
std::__1::basic_string            string   ptr=__r_.__value_.__s.__data_ len=__r_.__value_.__s.__size_>>1 lacks=__r_.__value_.__l.__is_long_ begins=__r_.__value_.__s.__size_
std::__1::basic_string            string   ptr=__r_.__value_.__l.__data_ len=__r_.__value_.__l.__size_ when=__r_.__value_.__s.__size_&128 lacks=__r_.__value_.__l.__is_long_
std::__1::basic_string            string   ptr=__r_.__value_.__s.__data_|__rep_.__s.__data_ len=__r_.__value_.__s.__size_|__rep_.__s.__size_
std::__1::basic_string_view       string   ptr=__data_|__data len=__size_|__size
std::__1::vector                  sequence begin=__begin_ end=__end_
std::__1::list                    list     first=__end_.__next_ next=__next_ end=__end_ of=1 node=__list_node at=__value_
std::__1::unique_ptr              pointer  to=__ptr_.__value_|__ptr_
std::__1::shared_ptr              pointer  to=__ptr_
std::__1::weak_ptr                pointer  to=__ptr_
std::__1::optional                maybe    set=__engaged_ value=__val_
std::__1::array                   alias    value=__elems_
std::__1::unordered_map           list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=1w of=1,2 pairs node=__hash_node at=__value_
std::__1::unordered_set           list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=1w of=1 node=__hash_node at=__value_
std::__1::function                erased   to=__f_.__f_ value=__f_|__func_ of=1
std::__1::any                     erased   by=__h_|__h here=__s_.__buf_|__s_.__buf|__s.__buf there=__s_.__ptr_|__s_.__ptr|__s.__ptr class=_SmallHandler
std::__1::vector<bool, std::__1::allocator<bool> > bits     begin=__begin_ len=__size_
std::__1::deque                   blocks   ptr=__map_.__begin_ start=__start_ len=__size_.__value_|__size_ block=4096:16 of=1
std::__1::forward_list            list     first=__before_begin_.__value_.__next_|__before_begin_.__next_ next=__next_ value=__value_
std::__1::set                     tree     root=__tree_.__pair1_.__value_.__left_|__tree_.__end_node_.__left_ left=__left_ right=__right_ of=1 node=__tree_node at=__value_
std::__1::multiset                tree     root=__tree_.__pair1_.__value_.__left_|__tree_.__end_node_.__left_ left=__left_ right=__right_ of=1 node=__tree_node at=__value_
std::__1::map                     tree     root=__tree_.__pair1_.__value_.__left_|__tree_.__end_node_.__left_ left=__left_ right=__right_ of=1,2 pairs node=__tree_node at=__value_
std::__1::multimap                tree     root=__tree_.__pair1_.__value_.__left_|__tree_.__end_node_.__left_ left=__left_ right=__right_ of=1,2 pairs node=__tree_node at=__value_
std::__1::unordered_multimap      list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=1w of=1,2 pairs node=__hash_node at=__value_
std::__1::unordered_multiset      list     first=__table_.__p1_.__value_.__next_|__table_.__first_node_.__next_ next=__next_ skip=1w of=1 node=__hash_node at=__value_
std::__1::variant                 variant  index=__impl_.__index|__impl.__index value=__impl_.__data|__impl.__data
std::__1::tuple                   tuple    head=__base_.__value_ base=__tuple_leaf
std::__1::atomic                  alias    value=__a_.__a_value|__a_
std::__1::reference_wrapper       pointer  to=__f_
std::__1::bitset                  bits     begin=__first_ len=#1
std::__1::span                    sequence ptr=__data_|__data len=__size_|__size|#2 of=1
std::initializer_list             sequence ptr=__begin_ len=__size_
std::__1::valarray                sequence begin=__begin_ end=__end_
std::__1::queue                   alias    value=c
std::__1::stack                   alias    value=c
std::__1::priority_queue          alias    value=c
std::__1::expected                alias    value=__union_.__val_|__repr_.__union_.__v.__val_ when=__has_val_
std::__1::__fs::filesystem::path  alias    value=__pn_
std::__1::filesystem::path        alias    value=__pn_
std::__1::__thread_id             alias    value=__id_
std::__1::chrono::duration        duration value=__rep_
std::__1::chrono::time_point      moment   value=__d_
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
alloc::boxed::Box<str, alloc::alloc::Global> string ptr=data_ptr len=length
alloc::boxed::Box                 box      -
alloc::boxed::Box                 sequence ptr=data_ptr len=length
alloc::rc::Rc                     alias    value=ptr.pointer.value
alloc::sync::Arc                  alias    value=ptr.pointer.data
alloc::rc::Rc                     trait    to=ptr.pointer skip=2w
alloc::sync::Arc                  trait    to=ptr.pointer skip=2w
std::path::PathBuf                alias    value=inner
std::ffi::os_str::OsString        string   ptr=inner.inner.inner.buf.inner.ptr.pointer.pointer|inner.inner.buf.inner.ptr.pointer.pointer|inner.inner.buf.ptr.pointer.pointer|inner.inner.buf.ptr.pointer len=inner.inner.inner.len|inner.inner.len
alloc::collections::binary_heap::BinaryHeap alias value=data
core::pin::Pin                    alias    value=__pointer|pointer
core::cell::Cell                  alias    value=value.value
core::cell::RefCell               alias    value=value.value
core::cell::UnsafeCell            alias    value=value
core::sync::atomic::AtomicI8      alias    value=v.value
core::sync::atomic::AtomicI16     alias    value=v.value
core::sync::atomic::AtomicI32     alias    value=v.value
core::sync::atomic::AtomicI64     alias    value=v.value
core::sync::atomic::AtomicIsize   alias    value=v.value
core::sync::atomic::AtomicU8      alias    value=v.value
core::sync::atomic::AtomicU16     alias    value=v.value
core::sync::atomic::AtomicU32     alias    value=v.value
core::sync::atomic::AtomicU64     alias    value=v.value
core::sync::atomic::AtomicUsize   alias    value=v.value
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
	// skip is how many bytes, or words as large as an address, are between the pointers of a node and
	// its value.
	skip      int64
	skipWords bool
	node      string // the name of the nodes' template
	when      []string
	// lacks are paths that must not exist. The value has to begin with one of begins.
	lacks, begins []string
	// block is how many bytes a block of elements has, unless that is fewer than least elements.
	block, least int64
}

// cutName splits a line after the name, which may have a blank in it: "&mut str".
func cutName(line string) (name, rest string) {
	fields := strings.Fields(line)
	n := 1
	for n < len(fields) && !isKind(fields[n]) {
		n++
	}
	return strings.Join(fields[:n], " "), strings.Join(fields[min(n, len(fields)):], " ")
}

// skipped returns the number of bytes that skip stands for if addresses have ptr bytes.
func (r *recipe) skipped(ptr int) int64 {
	if r.skipWords {
		return r.skip * int64(ptr)
	}
	return r.skip
}

func (r *recipe) set(word string) error {
	if word == "-" {
		return nil
	}
	if word == "pairs" {
		r.pairs = true
		return nil
	}
	key, value, ok := strings.Cut(word, "=")
	if !ok {
		return fmt.Errorf("%q is not PART=PATH", word)
	}
	switch key {
	case "of":
		return r.setOf(value)
	case "block":
		if _, err := fmt.Sscanf(value, "%d:%d", &r.block, &r.least); err != nil || r.block < 1 || r.block > 1<<20 ||
			r.least < 1 || r.least > 1<<20 {
			return fmt.Errorf("%q is not BYTES:ELEMENTS", value)
		}
	case "skip":
		var n string
		n, r.skipWords = strings.CutSuffix(value, "w")
		if _, err := fmt.Sscan(n, &r.skip); err != nil || r.skip < 0 || r.skip > 1024 {
			return fmt.Errorf("%q is not a number of bytes, or of words, as 2w", value)
		}
	case "used":
		path, n, ok := strings.Cut(value, ":")
		if r.used = -1; ok {
			if _, err := fmt.Sscan(n, &r.used); err != nil || r.used < 0 {
				return fmt.Errorf("%q is not a number from 0 on", n)
			}
		}
		r.paths[key] = strings.Split(path, "|")
	case "node":
		r.node = value
	case "when":
		r.when = strings.Split(value, "|")
	case "lacks":
		r.lacks = strings.Split(value, "|")
	case "begins":
		r.begins = strings.Split(value, "|")
	default:
		r.paths[key] = strings.Split(value, "|")
	}
	return nil
}

// setOf sets the numbers of the template arguments that are shown.
func (r *recipe) setOf(list string) error {
	for _, n := range strings.Split(list, ",") {
		i := 0
		if _, err := fmt.Sscan(n, &i); err != nil || i < 1 {
			return fmt.Errorf("%q is not a number from 1 on", n)
		}
		r.of = append(r.of, i)
	}
	return nil
}

// madeNumber reads a path that is "#N": the N-th template argument of a type, from 1.
func madeNumber(path string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(path, "#")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 1 && n <= 64
}

// bare returns a type's name without template arguments: "std::vector<int>" is std::vector, "&[u8]" is &[].
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
