package commands

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

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
	return x.Value, true
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
		return false, fmt.Errorf("there is no setting %q", name)
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
