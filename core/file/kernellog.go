package file

import "os"

// KernelLog writes a line to the kernel's log as an error (Linux, Documentation/ABI/testing/dev-kmsg).
// A program that the kernel has started has no other place to report a failure. The line must be a
// single one, of printable characters.
func KernelLog(line string) error {
	f, err := os.OpenFile("/dev/kmsg", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString("<3>" + line + "\n") // without its end it is not shown before the next one
	return err
}
