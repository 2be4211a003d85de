package builtin

import (
	"fmt"
	"strings"

	"coredbg/commands/lang"
)

// A topic is a page of help that is about no command.
type topic struct {
	name string
	text func() string
}

// topics are the pages, in the order of the introduction.
var topics = []topic{
	{"language", func() string { return language }},
	{"formats", formatsPage},
	{"screen", func() string { return screen }},
	{"differences", func() string { return differences }},
}

const screen = `THE SCREEN
  On a terminal, output longer than a screen stops there. The keys are the ones
  of less:

    space, f       the next screen; at the end, on with the session
    b              the screen before
    return, j, k   a line on, a line back
    /TEXT ?TEXT    the next line, or the one before, that matches: a regular
                   expression, where small letters match large ones as well
    n, N           the same again, and the other way
    g, G           the beginning, the end
    c              all the rest without a stop
    q              ends the command; a, ^C end the line

  Lines fit the terminal. In tables and stacks, names and paths that are too
  long are cut in the middle with "…"; what is still too long goes on below,
  after a blank. A command with -w shows whole lines (unless its -w means
  something else); files, pipes, shell commands and logs get them always.

  Frames are coloured by kind, and the letter that says how one was
  found is red for a guess. -color and NO_COLOR decide about colours.`

const introduction = `
HOW A LINE IS READ
  main::dis                      the word before a command is an address
  ::walk thread | ::stack        what a command finds goes on behind "|"
  ::nm ! grep -w fork            and to a program behind "!"
  1f4, 0t500                     numbers are hexadecimal without 0t in front
  bt, info locals, p x, k, jst   the words of other debuggers work, too

FURTHER
  ::help COMMAND   a command with its main options and an example; -a has all
  ::why COMMAND    why it has no answer here, and how to get one
  ::dcmds          the commands by question; -a all, or those about a WORD
  ::help TOPIC     language, formats, screen, differences`

const language = `STATEMENTS
  [address] [,count] command [| command ...] [! shell command]
  Statements end at a newline or ";". "//" starts a comment. The address becomes
  dot ("."). A count runs the command that often, each time further on. Without
  a command the last one runs again at the address. "! command" alone runs the
  shell.

COMMANDS
  ::name words     a dcmd; ::module` + "`" + `name picks one module's
  $c               a dcmd of one letter
  /formats         show memory at dot       ?formats  show the object file
  =formats         show dot itself          >name     assign dot to a variable
  /l /L /M value [mask]
                   look for a value of 2, 4 or 8 bytes from dot on
  $<file           go on with a script      $<<file   run a script, and return
  Words are split at blanks. '...' is literal, "..." has C escapes, and
  $[expression] is a number.

EXPRESSIONS
  Values are unsigned, 64 bits wide, and wrap. The default radix is 16 for input
  and output; $d shows and changes it.
  1f 0x1f 0t31 0o37 0i11111
                   numbers: default radix, hexadecimal, decimal, octal, binary
  0t1.5            the bits of a double
  'abc'            characters, the first one most significant
  main libc` + "`" + `fork    symbols; an object is a path, a base name, or libc alone
  "ns::f"          a symbol with characters that names lack
  <name <rip       variables and registers of the current thread
  .  +  ^  &       dot, the next and the previous location, where the last
                   command ran
  *e  */4/e        what memory holds at e: a pointer, or 1, 2, 4 or 8 bytes
  %e  %/4/e        the same from the object file that backs e
  -e ~e #e         negate, complement, 1 if e is 0 and else 0
  Binary operators, the tightest first, all to the left: %% (modulus);
  * % # (times, signed division, round up to a multiple); + -; << >>; == !=;
  &; ^; |. Parentheses group. A word that starts with a letter is a symbol if
  there is one of the name, else a number: write 0xadd or 0add for the number.

PIPELINES
  a | b runs b once for each record of a, with dot at the record's address. A
  record that fails costs only itself; wrong usage ends the pipeline.
  ::map and ::grep change and choose addresses; ::head, ::tail, ::sort, ::uniq
  and ::wc work on whole records. ::walk name var sets <var for each element.`

const differences = `DIFFERENCES
  coredbg speaks the language of illumos MDB. It departs from it here:

POSTMORTEM ONLY
  Nothing runs: ":c" and the like answer "no live process". Nothing is written:
  /v /w /W /Z with values answer that the target is read-only. \ and @ have no
  physical memory to look at.

NUMBERS
  Counts in options ("-n 20") are decimal, whatever the radix. Addresses and
  other values are in the default radix, as in MDB.
  A decimal default radix prints with 0t, and an octal one with 0o, so that
  what is printed can be typed again.

RECORDS
  Commands make records, not text. In a pipeline the address of a record goes
  on; only what ::echo and ::cat print is read as expressions. ::head, ::sort
  and ::grep pass on the whole record, so that its text stays.
  A pipeline flows: the right side runs for a record before the left side makes
  the next one, and ::head ends the left side.
  With -json each record is a line of JSON. An address is a string ("0x7f..."),
  because JSON numbers lose the low bits.
  ::wc counts records too.

STACKS
  Each frame says how it was found, and each stack why it ended; "?" marks what
  was found by scanning. A missing piece of memory is named with the reason why
  it is missing: not mapped, not dumped, truncated, file missing, wrong file.

THREADS
  TID::thread makes a thread the current one; <rip and the like follow it.

LANGUAGE
  "name" in double quotes is a symbol: "std::terminate" has colons, which names
  of MDB cannot have. Times are in UTC. A repeat that fails and does not move on
  ends instead of failing again.
  Words of other debuggers ("bt", "info threads", "!analyze") are answered with
  the command that does it here; "quit" and "exit" leave, "help" helps. Alone in
  a line they are not numbers: "f" is 0xf only as 0f. A symbol of such a name is
  evaluated, with a note. Wrong names are answered with the nearest right one.

SESSION
  History is kept from one session to the next. Output has colours on a
  terminal, unless NO_COLOR is set or -color never is given.
  Batch runs (-e, -f, input that is not a terminal) stop at the first command
  that fails, unless -k is given. They exit with 0 if all went well, 1 if a
  command failed, 2 for wrong usage, 3 if something is missing from the core.`

// formatsPage explains the letters and lists them.
func formatsPage() string {
	var b strings.Builder
	b.WriteString(`FORMATS
  address/letters  memory       address?letters  the object file
  address=letters  the address itself
  A decimal count, or $[expression], before a letter repeats it: main/4X2s.
  "Text" in quotes is printed. Each letter moves dot past what it showed; "+"
  is then the next location. "/" alone is /X^"= "i. A read that fails ends the
  command with a warning.
  As first letter with a value after it, l, L and M look for a value of 2, 4
  or 8 bytes: main/L deadbeef ffffffff

LETTERS
`)
	for _, l := range lang.Letters() {
		size := "-"
		switch {
		case l.Size > 0:
			size = fmt.Sprint(l.Size)
		case l.Size < 0:
			size = "ptr"
		case strings.IndexByte("iIsS", l.Letter) >= 0:
			size = "var"
		}
		fmt.Fprintf(&b, "  %c  %3s  %s\n", l.Letter, size, l.Summary)
	}
	return strings.TrimRight(b.String(), "\n")
}
