package triage

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	kernel "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// netABI is the first ABI of Landlock that keeps processes from the network.
const netABI = 4

// rules are the requested Landlock rules, without the ones that the kernel does not support.
var rules = landlock.V6.BestEffort()

// restrictable returns the ABI of the kernel's Landlock, or why there is none.
func restrictable() (abi int, why string) {
	abi, err := kernel.LandlockGetABIVersion()
	if err != nil {
		return 0, fmt.Sprintf("the kernel has no Landlock: %v", err)
	}
	return abi, ""
}

// restrict takes from this process the network, writing outside of the folder scratch, and
// reading outside of that and of the files and folders at paths. Why is the reason if
// that failed; files reports whether files are out of reach.
func restrict(paths []string, scratch string) (files bool, why string) {
	abi, why := restrictable()
	if why != "" {
		return false, why
	}
	var list []landlock.Rule
	if scratch != "" {
		list = append(list, landlock.RWDirs(scratch))
	}
	for _, p := range paths {
		st, err := os.Stat(p)
		switch {
		case p == "" || err != nil:
		case st.IsDir():
			list = append(list, landlock.RODirs(p).IgnoreIfMissing())
		case st.Mode().IsRegular():
			list = append(list, landlock.ROFiles(p).IgnoreIfMissing())
		}
	}
	if err := rules.Restrict(list...); err != nil {
		return false, err.Error()
	}
	if abi < netABI {
		return true, fmt.Sprintf("the kernel's Landlock (ABI %d) does not know the network", abi)
	}
	return true, ""
}
