package typed

import "testing"

func TestShort(t *testing.T) {
	for name, want := range map[string]string{
		"std::map<int, Session*, std::less<int>, std::allocator<std::pair<int const, Session*> > >":                         "std::map<int, Session*>",
		"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >":                                   "std::string",
		"const std::pair<const std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >, int>": "const std::pair<const std::string, int>",
		"long int *":                          "long*",
		"Outer<std::allocator<char> >":        "Outer<std::allocator<char>>",
		"std::vector<int, std::allocator<int": "std::vector<int, std::allocator<int",
		"A<B<C> >::D<E>":                      "A<B<C>>::D<E>",
		"":                                    "",
	} {
		if got := short(name); got != want {
			t.Errorf("%q is %q, should be %q", name, got, want)
		}
	}
	for class, want := range map[string]string{
		"std::_Sp_counted_ptr_inplace<Item, std::allocator<void>, (__gnu_cxx::_Lock_policy)2>": "std::shared_ptr control block of Item",
		"std::_Sp_counted_ptr<Item*, (__gnu_cxx::_Lock_policy)2>":                              "std::shared_ptr control block of Item",
		"Session": "Session",
	} {
		if got := Label(class); got != want {
			t.Errorf("%q is %q, should be %q", class, got, want)
		}
	}
}
