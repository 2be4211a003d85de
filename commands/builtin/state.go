package builtin

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"coredbg/commands"
	"coredbg/commands/foreign"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core/file"
)

func stateCommands() []commands.Command {
	quit := func(context.Context, *commands.Call) error { return lang.ErrQuit }
	return []commands.Command{
		{Name: "quit", Silent: true, Alias: "$q", Summary: "leave the debugger", Detail: "Leaves the debugger.",
			Example: "$q", Run: quit},
		{Name: "version", Summary: "print the debugger's version",
			Detail:  "Prints the version that this debugger was built as.",
			Example: "::version", Run: version},
		{Name: "$d", Silent: true, Addr: commands.AddrOptional, Args: "[radix]",
			Summary: "show or set the default radix",
			Detail: "Without an address or argument shows the default radix of numbers, read and printed. " +
				"With one it sets it. The argument is decimal; an address is an expression, so \"a$d\" sets ten.",
			Example: "0t10$d", SeeAlso: []string{"::set"}, Run: radix},
		{Name: "$P", Silent: true, Args: "[text]", Summary: "show or set the prompt",
			Detail:  "Shows the prompt, or sets it.",
			Example: "$P 'crash> '", SeeAlso: []string{"::set"}, Run: prompt},
		{Name: "set", Silent: true, Options: []commands.Option{
			{Letter: 'o', Arg: "option", Plus: true,
				Help:  "turn an option on; +o turns it off. repeatlast: an empty line runs the last command at the next location",
				Words: func(*commands.Session, string) []string { return []string{"repeatlast"} }},
			{Letter: 'I', Arg: "path", Help: "look for scripts in these folders, separated by colons"},
			{Letter: 'P', Arg: "prompt", Help: "set the prompt"},
			{Letter: 'a', Help: "show all settings, or those whose names begin with the word"},
		}, Args: "[setting [value]]",
			Summary: "show or set options of the debugger",
			Detail: `Without options shows the options and the settings that were set. A setting has gdb's name; without a
value its value is shown. These change the output: 'print elements' (as -l of ::print), 'print max-depth'
(as -d), output-radix (16, as -x), 'print frame-arguments' (as -f of ::stack), and listsize (the lines of ::source). Others are kept, and say that they change nothing.`,
			Example: "::set -o repeatlast", SeeAlso: []string{"$d", "$P"}, Run: set},
		{Name: "log", Silent: true, Options: []commands.Option{
			{Letter: 'e', Arg: "file", Help: "append what is typed and all output to a file"},
			{Letter: 'd', Help: "end the log"}},
			Summary: "copy the session to a file",
			Detail:  "Appends lines typed at the prompt and all output from now on to a text file as well, without colours. A new one is readable by its owner alone. Without options says whether there is a log.",
			Example: "::log -e crash.log", SeeAlso: []string{"$>"}, Run: log},
		{Name: "$>", Silent: true, Args: "[file]", Summary: "copy the session to a file",
			Detail:  "\"$>file\" is ::log -e file; \"$>\" alone is ::log -d.",
			Example: "$>crash.log", SeeAlso: []string{"::log"}, Run: dollarLog},
	}
}

func version(_ context.Context, c *commands.Call) error {
	v, compiler := Version()
	return c.Emit(&stateRecord{Type: "version", Name: "coredbg", Version: v, Compiler: compiler,
		Schema: commands.Schema, text: "coredbg " + v + " " + compiler})
}

// Version names this build of the debugger, by its version or else its commit,
// and the compiler.
func Version() (version, compiler string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)", runtime.Version()
	}
	version = info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (version == "" || version == "(devel)") {
			version = s.Value
		}
	}
	return cmp.Or(version, "(devel)"), info.GoVersion
}

// A stateRecord is something of the debugger's own state.
type stateRecord struct {
	Type     string  `json:"type" record:"version,radix,prompt,log" text:"{text}"`
	Name     string  `json:"name,omitempty"`
	Version  string  `json:"version,omitempty"`
	Compiler string  `json:"compiler,omitempty"`
	Radix    int     `json:"radix,omitempty"`
	Prompt   *string `json:"prompt,omitempty"`
	File     string  `json:"file,omitempty"`   // of a log, absent if there is none
	Schema   int     `json:"schema,omitempty"` // the version of all records
	text     string
}

// A settingsRecord is what ::set shows.
type settingsRecord struct {
	_          out.Record `record:"settings"`
	RepeatLast bool       `json:"repeatlast"`
	Radix      int        `json:"radix"`
	ScriptPath []string   `json:"script_path"`
	Prompt     string     `json:"prompt"`
}

// Text writes a line for each setting.
func (r *settingsRecord) Text(w *out.Writer) {
	state := "off"
	if r.RepeatLast {
		state = "on"
	}
	w.Printf("repeatlast: %s\nradix: %d\nscript path: %s\nprompt: %q\n", state, r.Radix,
		strings.Join(r.ScriptPath, ":"), r.Prompt)
}

func radix(_ context.Context, c *commands.Call) error {
	l := c.Session.Lang
	n := uint64(c.Dot)
	switch {
	case len(c.Args) > 1:
		return c.Usage("it takes one radix")
	case len(c.Args) == 1:
		r, err := c.Decimal(c.Args[0])
		if err != nil {
			return err
		}
		n = uint64(r)
	case !c.HasAddr:
		return c.Emit(&stateRecord{Type: "radix", Radix: l.Radix(),
			text: fmt.Sprintf("radix = %d base ten", l.Radix())})
	}
	if n > 16 {
		return c.Usage("radix %d (base ten) is not in 2..16", n)
	}
	return l.SetRadix(int(n))
}

func prompt(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Emit(&stateRecord{Type: "prompt", Prompt: &c.Session.Prompt, text: c.Session.Prompt})
	}
	// The line editor takes no control characters.
	c.Session.Prompt = out.Clean(words(c), false)
	return nil
}

func set(_ context.Context, c *commands.Call) error {
	s := c.Session
	on, given := c.Opt('o')
	off, taken := c.OffArg('o')
	for _, o := range []struct {
		arg   commands.Arg
		given bool
	}{{on, given}, {off, taken}} {
		if o.given && o.arg.Text != "repeatlast" {
			return c.Usage("there is no option %q; there is repeatlast", o.arg.Text)
		}
	}
	if given || taken {
		s.Lang.RepeatLast = given
	}
	if c.Flag('I') {
		s.Lang.Include = strings.Split(c.Str('I'), ":")
	}
	if c.Flag('P') {
		s.Prompt = out.Clean(c.Str('P'), false)
	}
	if given || taken || c.Flag('I') || c.Flag('P') {
		return nil
	}
	switch {
	case c.Flag('a'):
		return allSettings(c)
	case len(c.Args) > 0:
		return setting(c)
	}
	return showSettings(c)
}

// showSettings shows the options, and the settings that were set.
func showSettings(c *commands.Call) error {
	s := c.Session
	err := c.Emit(&settingsRecord{RepeatLast: s.Lang.RepeatLast, Radix: s.Lang.Radix(),
		ScriptPath: append([]string{}, s.Lang.Include...), Prompt: s.Prompt})
	if err != nil {
		return err
	}
	for _, name := range commands.ChangedSettings(s) {
		value, _ := commands.Setting(s, name)
		if err := c.Emit(&settingRecord{Name: name, Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// allSettings shows the settings whose names begin with a word.
func allSettings(c *commands.Call) error {
	for _, x := range foreign.SettingsBelow(words(c)) {
		value, _ := commands.Setting(c.Session, x.Name)
		if err := c.Emit(&settingRecord{Name: x.Name, Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// A settingRecord is a setting that was set or is asked for by its name.
type settingRecord struct {
	_     out.Record `record:"setting" text:"{Name}: {Value}"`
	Name  string     `json:"name"`
	Value string     `json:"value"`
}

// setting shows a setting, or sets it.
func setting(c *commands.Call) error {
	name := c.Text(c.Args[0])
	switch value, ok := commands.Setting(c.Session, name); {
	case !ok:
		return commands.NoSetting(name)
	case len(c.Args) == 1:
		return c.Emit(&settingRecord{Name: name, Value: value})
	case len(c.Args) > 2:
		return c.Usage("it takes a setting and its value")
	}
	acts, err := commands.ChangeSetting(c.Session, name, c.Text(c.Args[1]))
	if err != nil {
		return c.Usage("%v", err)
	}
	if !acts {
		c.Warn("%w", fmt.Errorf("%s is kept, and changes nothing here", name))
	}
	return nil
}

func log(_ context.Context, c *commands.Call) error {
	switch {
	case c.Flag('e') && c.Flag('d'):
		return c.Usage("-e and -d exclude each other")
	case c.Flag('d'):
		return endLog(c)
	case c.Flag('e'):
		return startLog(c, c.Str('e'))
	}
	if name := c.Session.LogName(); name != "" {
		return c.Emit(&stateRecord{Type: "log", File: name, text: "logging to " + name})
	}
	return c.Emit(&stateRecord{Type: "log", text: "not logging"})
}

func dollarLog(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return endLog(c)
	}
	return startLog(c, c.Text(c.Args[0]))
}

func startLog(c *commands.Call, name string) error {
	if err := c.Session.MayWrite(); err != nil {
		return err
	}
	f, err := file.Append(name, c.Session.Process.Path)
	if err != nil {
		return err
	}
	return c.Session.SetLog(f, name)
}

func endLog(c *commands.Call) error {
	if c.Session.LogName() == "" {
		return fmt.Errorf("there is no log")
	}
	return c.Session.SetLog(nil, "")
}
