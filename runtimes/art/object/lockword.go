package object

import "coredbg/core"

// A LockWord is an object's monitor_ (runtime/lock_word.h): the state in the two
// highest bits, the collector's in the next two, and 28 bits that depend on the
// state. The same in all versions known.
type LockWord uint32

// A LockState is what a LockWord holds.
type LockState uint8

// The states.
const (
	Unlocked   LockState = iota
	ThinLocked           // the owner's id and a count
	FatLocked            // a Monitor
	HashCode             // Object.hashCode
	Forwarded            // where the collector moved the object
)

// String returns the state in a word.
func (s LockState) String() string {
	return [...]string{"unlocked", "thin", "fat", "hash", "forwarded"}[s%5]
}

// State returns what the word holds.
func (w LockWord) State() LockState {
	switch w >> 30 {
	case 1:
		return FatLocked
	case 2:
		return HashCode
	case 3:
		return Forwarded
	}
	if w&0xffff == 0 {
		return Unlocked
	}
	return ThinLocked
}

// Owner returns the id of the thread that holds a thin lock.
func (w LockWord) Owner() int { return int(w & 0xffff) }

// Count returns how often the owner of a thin lock has locked it, from 1 on.
func (w LockWord) Count() int { return int(w>>16&0xfff) + 1 }

// Hash returns the hash code of a word that holds one.
func (w LockWord) Hash() uint32 { return uint32(w) & (1<<28 - 1) }

// Forward returns where an object was moved to.
func (w LockWord) Forward() core.Addr { return core.Addr(uint32(w) << 3) }

// MonitorID returns the id of the Monitor of a fat lock.
func (w LockWord) MonitorID() uint32 { return uint32(w) & (1<<28 - 1) }
