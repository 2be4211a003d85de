package binding

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"coredbg/core"
	"coredbg/runtimes/node/cxx"
	"coredbg/runtimes/v8/layout"
)

// net.SocketAddress and net.BlockList keep what they are in C++ (src/node_sockaddr.h).

// Vtables of their classes.
var (
	vtAddress   = cxx.VTable("13SocketAddress")
	vtBlockList = cxx.VTable("22SocketAddressBlockList")
	vtOne       = cxx.VTable("22SocketAddressBlockList17SocketAddressRule")
	vtRange     = cxx.VTable("22SocketAddressBlockList22SocketAddressRangeRule")
	vtSubnet    = cxx.VTable("22SocketAddressBlockList21SocketAddressMaskRule")
)

const (
	// addressSize is the bytes of a node::SocketAddress: a vtable and a sockaddr_storage.
	addressSize = 8 + 128
	// maxMembers bounds the bytes of a SocketAddressBlockList that are looked at.
	maxMembers = 512
	// maxParents bounds the lists that one continues.
	maxParents = 16
)

// Families of addresses, of Linux and of macOS.
const (
	afINET       = 2
	afINET6      = 10
	afINET6Apple = 30
)

// A sockaddr is what a sockaddr_in or a sockaddr_in6 says.
type sockaddr struct {
	ip   netip.Addr
	flow uint32
}

// sockaddrAt reads the node::SocketAddress at a, or the one that a shared_ptr there has; size is how
// many bytes it has there.
func (f *Functions) sockaddrAt(a core.Addr) (s sockaddr, size core.Addr, ok bool) {
	size = addressSize
	if !f.cxx.IsA(a, vtAddress) {
		w, ok := f.Word(a)
		if !ok || !f.cxx.IsA(core.Addr(w), vtAddress) {
			return s, 0, false
		}
		a, size = core.Addr(w), 16
	}
	b, err := core.ReadBytes(f.Space, a+8, 28)
	if err != nil {
		return s, 0, false
	}
	family := int(binary.LittleEndian.Uint16(b))
	if family > 0xff { // a length comes first on macOS
		family >>= 8
	}
	switch family {
	case afINET:
		s.ip = netip.AddrFrom4([4]byte(b[4:8]))
	case afINET6, afINET6Apple:
		s.ip = netip.AddrFrom16([16]byte(b[8:24]))
		s.flow = binary.LittleEndian.Uint32(b[4:])
	default:
		return s, 0, false
	}
	return s, size, true
}

// String returns the address as uv_inet_ntop writes it, after its kind.
func (s sockaddr) String() string {
	if s.ip.Is4() {
		return "IPv4 " + s.text()
	}
	return "IPv6 " + s.text()
}

func (s sockaddr) text() string {
	if b := s.ip.As16(); s.ip.Is6() && [12]byte(b[:12]) == [12]byte{} && b[12]|b[13] != 0 {
		return "::" + netip.AddrFrom4([4]byte(b[12:])).String()
	}
	return s.ip.String()
}

// flowLabel is SocketAddress::flow_label.
func (f *Functions) flowLabel(o layout.Tagged) (value any, ok bool) {
	base, ok := f.loops.BaseOf(o)
	if !ok {
		return nil, false
	}
	a, ok := f.cxx.Member(base, vtAddress)
	if !ok {
		return nil, false
	}
	s, _, ok := f.sockaddrAt(a)
	return float64(s.flow), ok
}

// rules is SocketAddressBlockList::ListRules.
func (f *Functions) rules(o layout.Tagged) (value any, ok bool) {
	base, ok := f.loops.BaseOf(o)
	if !ok {
		return nil, false
	}
	list, ok := f.cxx.Member(base, vtBlockList)
	if !ok {
		return nil, false
	}
	_, together := f.Symbols.Find(f.Image.Module.Path, vtOne)
	var out []string
	for range maxParents {
		own, ok := f.ownRules(list, together)
		if !ok {
			return nil, false
		}
		out = append(own, out...)
		parent, _ := f.Word(list + 8)
		if parent == 0 {
			return out, true
		}
		if list = core.Addr(parent); !f.cxx.IsA(list, vtBlockList) {
			return nil, false
		}
	}
	return nil, false
}

// ownRules returns the rules of the list at a, without those of its parent. Where single
// addresses have rules of their own, all are in one list; later they are in a table, and subnets
// and ranges have a list each.
func (f *Functions) ownRules(a core.Addr, together bool) (out []string, ok bool) {
	var lists [][]string
	single, found := []string(nil), together
	for off := core.Addr(24); off < maxMembers; off += 8 {
		if rules, ok := f.ruleList(a + off); ok {
			if lists = append(lists, rules); together {
				return rules, true
			}
			off += 8
		} else if s, ok := f.addressTable(a + off); ok && !found {
			single, found = s, true
		}
		if found && len(lists) == 2 {
			return append(append(single, lists[1]...), lists[0]...), true
		}
	}
	return nil, false
}

// ruleList returns the rules of the list with its head at a.
func (f *Functions) ruleList(a core.Addr) (out []string, ok bool) {
	list, ok := f.cxx.Pointers(a)
	if !ok {
		return nil, false
	}
	for _, p := range list {
		s, ok := f.rule(p)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// rule is Rule::ToString.
func (f *Functions) rule(a core.Addr) (string, bool) {
	first, size, ok := f.sockaddrAt(a + 8)
	switch {
	case !ok:
	case f.cxx.IsA(a, vtOne):
		return "Address: " + first.String(), true
	case f.cxx.IsA(a, vtRange):
		last, _, ok := f.sockaddrAt(a + 8 + size)
		return fmt.Sprintf("Range: %v-%s", first, last.text()), ok
	case f.cxx.IsA(a, vtSubnet):
		prefix, ok := f.U32(a + 8 + size)
		return fmt.Sprintf("Subnet: %v/%d", first, prefix), ok && int(prefix) <= first.ip.BitLen()
	}
	return "", false
}

// addressTable returns the rules of the std::unordered_map of addresses at a, of libstdc++: its
// nodes are linked, the third word leads to the first and the fourth counts them. After the
// table comes how many of them were asked for: one that is there in the words of the other kind of
// address, too, is not listed twice.
func (f *Functions) addressTable(a core.Addr) (out []string, ok bool) {
	const (
		tableSize = 56
		maxNodes  = 1 << 16
	)
	var w [4]uint64
	for i := range w {
		if w[i], ok = f.Word(a + core.Addr(8*i)); !ok {
			return nil, false
		}
	}
	buckets, n, count := core.Addr(w[0]), w[1], w[3]
	asked, ok := f.Word(a + tableSize)
	if !ok || buckets&7 != 0 || buckets == 0 || n == 0 || n > 1<<24 || count > maxNodes || asked > count ||
		n == 1 && buckets != a+48 {
		return nil, false
	}
	at := w[2]
	for range count {
		node := core.Addr(at)
		key, size, ok := f.sockaddrAt(node + 8)
		if !ok || size != addressSize {
			return nil, false
		}
		value, _, ok := f.sockaddrAt(node + 8 + size)
		if !ok {
			return nil, false
		}
		if key.ip == value.ip {
			out = append(out, "Address: "+value.String())
		}
		if at, ok = f.Word(node); !ok {
			return nil, false
		}
	}
	return out, at == 0 && uint64(len(out)) == asked
}
