package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// shells are the names of programs that open /dev/null for writing alone, unless "<>" asks for more.
var shells = []string{"ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "mksh", "sh", "yash", "zsh"}

// nullDevice is the device number of /dev/null (Linux, Documentation/admin-guide/devices.txt).
var nullDevice = unix.Mkdev(1, 3)

// standardOutput returns standard output, which is stdout. If it was closed from the start each write to the
// file fails, except for collect: the kernel gives the program in core_pattern no output.
func standardOutput(stdout *os.File, args []string) *os.File {
	if len(args) > 0 && args[0] == "collect" || !closedOutput() {
		return stdout
	}
	fd, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return stdout
	}
	return os.NewFile(uintptr(fd), "/dev/stdout")
}

// closedOutput reports whether standard output was closed when the process began. Go's runtime
// has opened /dev/null for reading and writing in its place by then (runtime/fds_unix.go), and
// a parent may have done the same on purpose: Python's DEVNULL and Node's "ignore" do. So it
// is true only if the parent has no standard output either, or is a shell that does not
// share this one.
func closedOutput() bool {
	var st unix.Stat_t
	if unix.Fstat(1, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || uint64(st.Rdev) != nullDevice {
		return false
	}
	mode, err := unix.FcntlInt(1, unix.F_GETFL, 0)
	if err != nil || mode&unix.O_ACCMODE != unix.O_RDWR || mode&unix.O_APPEND != 0 {
		return false
	}
	self, parent := os.Getpid(), os.Getppid()
	for _, fd := range []int{0, 2} {
		if same, err := sameFile(self, fd, self, 1); same || err != nil {
			return false // a daemon's, or not to be known
		}
	}
	switch same, err := sameFile(parent, 1, self, 1); {
	case err == unix.EBADF:
		return true
	case same || err != nil:
		return false
	}
	name, err := os.ReadFile("/proc/" + strconv.Itoa(parent) + "/comm")
	return err == nil && slices.Contains(shells, strings.TrimSpace(string(name)))
}

// sameFile reports whether a descriptor of one process and a descriptor of another are one open file.
func sameFile(pid1, fd1, pid2, fd2 int) (bool, error) {
	const kcmpFile = 0 // KCMP_FILE of linux/kcmp.h
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(pid1), uintptr(pid2), kcmpFile, uintptr(fd1),
		uintptr(fd2), 0)
	if errno != 0 {
		return false, errno
	}
	return order == 0, nil
}
