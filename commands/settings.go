package commands

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands/foreign"
)

// changed are the settings that a session has set, by name.
type changed map[string]string

// Setting returns the value of a setting of gdb's name; ok is false for an unknown one.
func Setting(s *Session, name string) (value string, ok bool) {
	x, ok := foreign.SettingNamed(name)
	if !ok {
		return "", false
	}
	if all := Kept[changed](s); all != nil {
		if value, ok = (*all)[name]; ok {
			return value, true
		}
	}
	return cmp.Or(foundSetting(s, name), x.Value), true
}

// foundSetting returns the value of a setting that the process or the session's options decide; "" for another one.
func foundSetting(s *Session, name string) string {
	p := s.Process
	switch {
	case p == nil:
	case name == "architecture" && p.Arch != nil:
		return "auto; currently " + p.Arch.Name
	case name == "endian" && p.Arch != nil && p.Arch.Order == binary.ByteOrder(binary.BigEndian):
		return "auto; currently big endian"
	case name == "endian" && p.Arch != nil:
		return "auto; currently little endian"
	case name == "osabi" && p.OS != "":
		return "auto; currently " + cmp.Or(map[string]string{"linux": "GNU/Linux", "darwin": "Darwin",
			"windows": "Windows"}[p.OS], p.OS)
	case name == "directories":
		return strings.Join(append(slices.Clone(s.Folders.Search), "$cdir", "$cwd"), ":")
	case name == "solib-search-path":
		return strings.Join(s.Folders.Search, ":")
	case name == "sysroot":
		return s.Folders.Sysroot
	case name == "debug-file-directory":
		return strings.Join(s.Folders.DebugDirs, ":")
	}
	return ""
}

// ChangedSettings returns the names of the settings that were set, in order.
func ChangedSettings(s *Session) []string {
	all := Kept[changed](s)
	if all == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(*all))
}

// SettingNumber returns the number that a setting was set to; otherwise if it was not set.
func SettingNumber(s *Session, name string, otherwise int) int {
	all := Kept[changed](s)
	if all == nil {
		return otherwise
	}
	value, ok := (*all)[name]
	if !ok {
		return otherwise
	}
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return n
	}
	return mostSet
}

// mostSet is the number that "unlimited" stands for.
const mostSet = 1 << 20

// ChangeSetting gives a setting a value. acts says whether that changes what is shown, or would if it differed from the
// value before.
func ChangeSetting(s *Session, name, value string) (acts bool, err error) {
	x, ok := foreign.SettingNamed(name)
	if !ok {
		return false, NoSetting(name)
	}
	switch {
	case x.Number && (value == "0" || value == "-1" || value == "unlimited"):
		value = "unlimited"
	case x.Number:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return false, fmt.Errorf("%s takes a number or unlimited", name)
		}
	case name == "output-radix" && value != "10" && value != "16":
		return false, fmt.Errorf("%s takes 10 or 16", name)
	case value == "" && (x.Value == "on" || x.Value == "off"):
		value = "on"
	}
	was, _ := Setting(s, name)
	all := Kept[changed](s)
	if all == nil {
		all = &changed{}
		Keep(s, all)
	}
	(*all)[name] = value
	return x.Acts || was == value || value == x.Value, nil
}

// FrameArguments returns the form that a session's setting asks for.
func FrameArguments(s *Session) ArgumentForm {
	value, _ := Setting(s, "print frame-arguments")
	return ArgumentForm(value)
}

// NoSetting is the error for a setting that does not exist, with the one that is near.
func NoSetting(name string) error {
	if near := foreign.NearSetting(name); near != "" {
		return fmt.Errorf("there is no setting %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("there is no setting %q", name)
}
