package commands

import (
	"strings"
	"testing"
)

// TestDone: lines of gdb, lldb, WinDbg, delve and llnode, by their manuals, and their counterparts here. An
// operand without a counterpart is reported, or nothing runs.
func TestDone(t *testing.T) {
	for typed, want := range map[string]string{
		"x/20i $pc":                            "::print -- '$pc' | ::examine 20i",
		"x/s 0x7fff0010":                       "::print -- 0x7fff0010 | ::examine s",
		"x/4gx $sp":                            "::print -- '$sp' | ::examine 4gx",
		"x/4xg $sp":                            "::print -- '$sp' | ::examine 4xg",
		"x/2dh Table":                          "::print -- Table | ::examine 2dh",
		"x/8ub &buf":                           "::print -- '&buf' | ::examine 8ub",
		"x Table":                              "::print -- Table | ::examine",
		"p $rip":                               "::print '$rip'",
		"p sizeof(Order)":                      "::print 'sizeof(Order)'",
		"p sizeof (struct a *)":                "::print 'sizeof (struct a *)'",
		"p/t 5":                                "::print -f t 5",
		"p/d order.number":                     "::print -f d order.number",
		"p $sp+8":                              "::print '$sp+8'",
		"p 1+2":                                "::print '1+2'",
		"p $_siginfo":                          "::print '$_siginfo'",
		"x/s order.name":                       "::print -- order.name | ::examine s",
		"x/s order->name":                      "::print -- 'order->name' | ::examine s",
		"x/s text":                             "::print -- text | ::examine s",
		"x/16wx &order.name":                   "::print -- '&order.name' | ::examine 16wx",
		"p -5 % 3":                             "::print -- '-5 % 3'",
		"p/c buf[0]":                           "::print -f c 'buf[0]'",
		"p *(int *)$sp":                        "::print '*(int *)$sp'",
		"p 'x'":                                "::print \"'x'\"",
		"p $foo = 5":                           "::print '$foo = 5'",
		"set $foo = 0x10":                      "0x10>foo",
		"p/s name":                             "::print -f s name",
		"ptype/o struct a":                     "::print -m 'struct a'",
		"ptype list":                           "::ptype list",
		"info types ^a":                        "::types '^a'",
		"info vtbl this":                       "::print -- this | ::whatis",
		"info scope main":                      "::locals -f main",
		"thread apply 1 2 bt":                  "::thread -p 1 2 | ::stack",
		"thread apply 3 info locals":           "::thread -p 3 | ::locals",
		"thread apply all p x":                 "::thread -e 'p x'",
		"frame apply all info locals":          "::locals -A",
		"find &a, +100, 0x48":                  "0x48::ugrep -f a -t a+0t100",
		"find $sp, 0x7fff0000, 0":              "0::ugrep -f <sp -t 0x7fff0000",
		"find a, +100, 1, 2":                   "2::ugrep; left out: a, +100, 1",
		"printf \"%d %d\", a, b+1":             "::print -p '%d %d' -- a 'b+1'",
		"echo hi":                              "::echo hi",
		"apropos stack":                        "::dcmds stack",
		"py-bt":                                "::stack",
		"jinfo":                                "::jvm -p",
		"v8 inspect cache":                     "::jsprint -b cache | ::jsprint",
		"retainers cache":                      "::jsprint -b cache | ::gcroot",
		"finish":                               "::frame -u 1",
		"set print pretty on":                  "::set; left out: pretty on",
		"info line work":                       "::lookup work",
		"info line a.c:3":                      "::lookup 'a.c:3'",
		"continue":                             "::status",
		"b main":                               "::lookup main",
		"watch total":                          "::print total",
		"leaks":                                "::leaks",
		"scripts":                              "::jsscripts",
		"sources":                              "::sources",
		"scope":                                "::locals",
		"this":                                 "::print this",
		"console.trace":                        "::jsstack",
		"b":                                    "::frame",
		"b main.cc:12":                         "::lookup 'main.cc:12'",
		"break 12":                             "::lookup ':12'",
		"b *0x401000":                          "0x401000::whatis",
		"break -l main.main":                   "::lookup main.main",
		"stop in Main.main":                    "::lookup Main.main",
		"info address main":                    "::lookup main",
		"info symbol main":                     "::print -- main | ::whatis",
		"info frame":                           "::frame -v",
		"info frame 2":                         "::frame -v 2",
		"info source":                          "::source -d",
		"info sources":                         "::sources",
		"sources srv":                          "::sources srv",
		"list main,20":                         "::source -t 20 main",
		"n":                                    "::status",
		"kill":                                 "::status",
		"jump main":                            "::status; left out: main",
		"set var argc=1":                       "::print argc; left out: = 1",
		"source words":                         "$<words",
		"info macro SIZE":                      "::print SIZE",
		"args":                                 "::args",
		"vars main":                            "::nm -C -t objt,tls -r main",
		"stack -full":                          "::locals -A",
		"goroutine 3 bt":                       "::goroutine 3",
		"frame 2 locals":                       "::locals -f 2",
		"x -fmt hex -count 4 -size 8 0xc000":   "::print -- 0xc000 | ::examine 4xg",
		"disass -l main.main":                  "::dis main.main",
		"jcmd 12 GC.class_histogram":           "::heapstat",
		"jcmd GC.heap_dump /srv/a":             "::hprof -o '/srv/a'",
		"jcmd Thread.print":                    "::stacks -a",
		"jcmd VM.flags":                        "::jvm -p",
		"jcmd 12":                              "::jvm",
		"jmap -histo:live 12":                  "::heapstat",
		"jmap -dump:live,file=a.hprof 12":      "::hprof -o 'a.hprof'; left out: 12",
		"jmap -heap":                           "::javaspaces",
		"mem 0x1000 2":                         "::print -- 0x1000 | ::examine 2xg",
		"incoming references 0x1000":           "0x1000::refby",
		"outgoing references":                  "::dominators",
		"duplicate classes":                    "::classloaders",
		"leak suspects":                        "::leaks",
		"dominator tree":                       "::dominators",
		"select * from java.lang.String":       "::find java.lang.String",
		"SELECT s FROM a.B s":                  "::find a.B; left out: s s",
		"class java.lang.String":               "::javaclass java.lang.String",
		"p/x $r10":                             "::print -x '$r10'",
		"info registers rip":                   "::regs -g rip",
		"register read r12":                    "::regs -g r12",
		"info registers a b":                   "::regs -g a b",
		"info registers $rip":                  "::regs -g rip",
		"i r rip $rsp":                         "::regs -g rip rsp",
		"pause":                                "::status",
		"step over":                            "::status",
		"info symbol 0x401":                    "0x401::whatis",
		"disas Main":                           "::dis Main",
		"disas /s Main":                        "::dis -S Main",
		"disassemble /r":                       "::dis -c -a",
		"disas 4198400":                        "0t4198400::dis -c",
		"di -n Main":                           "::dis Main",
		"u 401000":                             "0x401000::dis -c",
		"u 7ff6`00001234":                      "0x7ff600001234::dis -c",
		"u Main":                               "::dis Main",
		"ln @rip":                              "<rip::whatis",
		"thread apply all bt -3":               "::walk thread | ::stack -l 3",
		"thread apply 2-4 info registers":      "::thread -e 'info registers' 2 3 4",
		"thread apply all -s p $sp":            "::thread -s -e 'p $sp'",
		"taas p x":                             "::thread -s -e 'p x'",
		"faas p x":                             "::frame -s -e 'p x'",
		"frame apply 3 p x":                    "::frame -c 3 -e 'p x'",
		"frame 2 p x":                          "::frame -e 'p x' 2",
		"goroutine 3 frame 2 p x":              "::goroutine -e 'frame 2 p x' 3",
		"goroutines -with user -group userloc": "::goroutines -g",
		"bt full 3":                            "::locals -A -n 3",
		"list 10,20":                           "::source -t 20 ':10'",
		"list 10,":                             "::source -t 19 ':10'",
		"list ,20":                             "::source -t 20 ':11'",
		"x/2wx":                                "::examine 2wx",
		"x/5i $pc-10":                          "::print -- '$pc-10' | ::examine 5i",
		"disassemble":                          "::dis -c",
		"disassemble /rs main":                 "::dis -S -a main",
		"disassemble $pc,+20":                  "::print -- '$pc' | ::dis -l 20",
		"disassemble $pc-8,$pc+8":              "::print -- '$pc-8' | ::dis -l 16",
		"info breakpoints":                     "::echo 'No breakpoints or watchpoints.'",
		"info signals SIGSEGV":                 "::siginfo -l SIGSEGV",
		"handle SIGUSR1 nostop noprint":        "::siginfo -l SIGUSR1",
		"p -elements 4 -- list":                "::print -l 4 list",
		"p %x flags":                           "::print -x flags",
		"set $a = n":                           "::print '$a = n'",
		"ptype/o struct a.":                    "::print -m 'struct a.'",
		"printf \"%s, %d\\n\", f(a, b), c":     "::print -p '%s, %d\\n' -- 'f(a, b)' c",
		"info scope main.(*a).b":               "::locals -f 'main.(*a).b'",
		"memory read --size 8 --format x --count 4 $sp": "::print -- '$sp' | ::examine 4xg",
		"x -s4 -fx -c8 $sp":                             "::print -- '$sp' | ::examine 8xw",
		"di -s $pc -c 5":                                "::print -- '$pc' | ::examine 5i",
		"source list -n main":                           "::source -i main",
		"source list -f a.c -l 20":                      "::source 'a.c:20'",
		"source info":                                   "::source -d",
		"target variable turns":                         "::print turns",
		"breakpoint list":                               "::echo 'No breakpoints or watchpoints.'",
		"dq rsp L4":                                     "<rsp,4/J",
		"u srv!Main":                                    "::dis Main",
		"ln rip":                                        "<rip::whatis",
		"x srv!Main*":                                   "::nm -C -r '^Main.*$'",
		"r rax,rbx":                                     "::regs -g rax rbx",
		"bt":                                            "::stack",
		"bt 12":                                         "::stack 0t12",
		"bt -3":                                         "::stack -l 3",
		"bt -frame-info none":                           "::stack; left out: -frame-info none",
		"k 20":                                          "::stack 0t32",
		"bt full":                                       "::locals -A",
		"thread apply all bt":                           "::stacks -a",
		"t a a bt":                                      "::stacks -a",
		"~*k":                                           "::stacks -a",
		"up":                                            "::frame -u 1",
		"down 2":                                        "::frame -d 2",
		"frame 3":                                       "::frame 3",
		"f 3":                                           "::frame 3",
		"frame select 3":                                "::frame 3",
		"frame function main":                           "::frame -f main",
		".frame 1f":                                     "::frame 31",
		"thread 2":                                      "::thread -n 2",
		"thread select 2":                               "::thread -n 2",
		"~2s":                                           "::thread -n 3",
		"info threads":                                  "::threads",
		"i r":                                           "::regs -g",
		"info locals":                                   "::locals",
		"frame variable a.b":                            "::print a.b",
		"p current->next":                               "::print 'current->next'",
		"p *current":                                    "::print '*current'",
		"p &Table":                                      "::print '&Table'",
		"p/x flags":                                     "::print -x flags",
		"p -pretty -- node":                             "::print node",
		"p/t flags":                                     "::print -f t flags",
		"print 42":                                      "::print 42",
		"p a + b":                                       "::print 'a + b'",
		"p f(1)":                                        "::print 'f(1)'",
		"p shop.orders.size()":                          "::print 'shop.orders.size()'",
		"p *list->next->size()":                         "::print '*list->next->size()'",
		"p a.run()":                                     "::print 'a.run()'",
		"p size()":                                      "::print 'size()'",
		"display/i $pc":                                 "::print -- '$pc' | ::examine i",
		"display order":                                 "::print order",
		"po list[3]":                                    "::print 'list[3]'",
		"ptype struct node":                             "::ptype 'struct node'",
		"dt srv!node":                                   "::print -m node",
		"whatis Table":                                  "::ptype -w Table",
		"info sharedlibrary":                            "::objects",
		"lm":                                            "::objects",
		"dq @rsp L4":                                    "<rsp,4/J",
		"dps 1000":                                      "0x1000,8/p",
		"memory read $sp":                               "<sp::dump",
		"me r -c 4 $sp":                                 "<sp::dump; left out: -c 4",
		"list":                                          "::source -i -k",
		"list Main":                                     "::source -i Main",
		"list 40":                                       "::source :40",
		"!analyze -v":                                   "::analyze",
		"v8 bt":                                         "::jsstack",
		"v8 i 0x1234":                                   "0x1234::jsprint",
		"goroutines":                                    "::goroutines",
		"goroutine 12":                                  "::goroutine 12",
		"shell ls":                                      "!ls",
		"info functions main":                           "::nm -C -t func -r main",
		"x/4x 010":                                      "::print -- 010 | ::examine 4x",
		"u 0n100":                                       "0t100::dis -c",
		"x/4gx $sp+8":                                   "::print -- '$sp+8' | ::examine 4gx",
		"x/i Main-4":                                    "::print -- 'Main-4' | ::examine i",
		"x/f $sp":                                       "::print -- '$sp' | ::examine f",
		"x/0x $sp":                                      "::print -- '$sp' | ::examine 0x",
	} {
		line, _, left, _ := done(strings.Fields(typed))
		if len(left) > 0 && line != "" {
			line += leftOut + strings.Join(left, " ")
		}
		if line != want {
			t.Errorf("%s: %q, want %q", typed, line, want)
		}
	}
}

// TestInfoAbbreviated: gdb's "i" is its "info".
func TestInfoAbbreviated(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{"i lo": "::locals", "i f 2": "::frame -v 2", "i th": "::threads"} {
		if f, ok := r.translate(line); !ok || f.Run != want {
			t.Errorf("%s: %+v, not %s", line, f, want)
		}
	}
}

// TestAbbreviated: gdb takes each unique beginning of a command. Truth: GDB manual, "Command Syntax"; "p" and
// "li" have rows or are unique among its commands, "dis" is another word here, and "sh" is ambiguous.
func TestAbbreviated(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{
		"inf locals": "::locals", "inf lo": "::locals", "inf thr": "::threads", "info thr": "::threads",
		"i r": "::regs -g", "inf reg rip": "::regs -g rip", "inf fr": "::frame -v",
		"inf sh": "::objects", "thr 2": "::thread -n 2", "backt": "::stack", "backt 3": "::stack 3",
		"disp x": "::print x", "disp/i $pc": "::print -- '$pc' | ::examine i", "wher": "::stack", "fini": "::frame -u 1",
		"fram 2": "::frame 2", "lis main": "::source -i main", "contin": "::status", "thr apply all bt": "::stacks -a",
		"x/i $pc": "::print -- '$pc' | ::examine i",
	} {
		if f, ok := r.translate(line); !ok || f.Run != want {
			t.Errorf("%s: %+v, not %s", line, f, want)
		}
	}
	for _, line := range []string{"s", "z", "infos", "refr", "se 3"} {
		if full := unabbreviated(strings.Fields(line)[0]); full == "info" || full == "set" {
			t.Errorf("%s begins %s alone", line, full)
		}
	}
}

// TestConsoleWords: methods of console that show values print them in every process. Truth: the Console
// Standard, "Logging".
func TestConsoleWords(t *testing.T) {
	r := NewRegistry(nil)
	for line, want := range map[string]string{
		"console.log(x)": "::print x", "console.error(a.b);": "::print a.b", "console.trace()": "::jsstack",
		"console.dir( list->next )": "::print 'list->next'", "console.log()": "", "console.time('a')": "",
		"consol.log(x)": "",
	} {
		if f, _ := r.translate(line); f.Run != want {
			t.Errorf("%s: %+v, not %q", line, f, want)
		}
	}
}

// TestVariableOf: a variable that a console knows comes before words of other debuggers, but not before those
// that mean one thing everywhere, nor before commands of this one.
func TestVariableOf(t *testing.T) {
	h := host{&Session{Commands: NewRegistry([]Command{{Name: "status"}})}}
	h.Guess = func(text string, sure bool) (line, left string) {
		if text == "bt" || text == "quit" {
			t.Errorf("the heap is looked at for %s", text)
		}
		if sure && (text == "dir" || text == "e" || text == "status") {
			line = "::jsprint " + text
		}
		return line, ""
	}
	for text, want := range map[string]string{
		"dir": "::jsprint dir", "e": "::jsprint e", "bt": "::stack", "quit": "::quit", "lm": "::objects",
	} {
		f, _ := h.Commands.translate(text)
		if f, ok := h.guessed(text, f, f.Run != ""); !ok || !strings.HasPrefix(f.Run, want) || f.Weak && text == "e" {
			t.Errorf("%s: %+v, want %s", text, f, want)
		}
	}
	if line := h.variableOf("status"); line != "" {
		t.Errorf("status: %s", line)
	}
}

// TestMisspeltSecondWord: the first word alone would answer another question.
func TestMisspeltSecondWord(t *testing.T) {
	for line, like := range map[string]string{"info regsters": "info registers", "info treads": "info threads",
		"thread lst": "thread list", "info sharedlbrary": "info sharedlibrary"} {
		_, here, _ := meaning(strings.Fields(line))
		if _, want, _ := meaning(strings.Fields(like)); here.here != want.here {
			t.Errorf("%s: %q, want %q", line, here.here, want.here)
		}
	}
}

// TestEveryWordRuns: each word of the table runs a line, also without operands. The exceptions need a text, a file or a
// program, and say so.
func TestEveryWordRuns(t *testing.T) {
	r := NewRegistry(nil)
	needs := map[string]bool{}
	for _, w := range strings.Fields("echo eval find search memory_find searchmem findtext strings searchtext hprof heap_dump gc.heap_dump log .logopen .logclose " +
		"logging set_logging_on logopen tee script transcript shell clear make cd .shell platform_shell sh pipe system cmd commandfile command " +
		"!help_sos history show_commands !history show_history hist") {
		needs[strings.ReplaceAll(w, "_", " ")] = true
		needs[w] = true
	}
	for words := range Words() {
		for _, w := range split(words) {
			if f, ok := r.translate(w); !ok || f.Run == "" && !needs[w] {
				t.Errorf("%s: %q", w, f.Hint)
			}
		}
	}
}

// TestSuited: a command of a runtime that the process lacks gives way to the one that answers the question there.
func TestSuited(t *testing.T) {
	for _, x := range []struct{ line, found, want string }{
		{"::goroutines", "go", ""},
		{"::goroutines", "javascript v8", "::threads"},
		{"::goroutine 3", "", "::stack"},
		{"::jserror", "javascript v8", ""},
		{"::jserror", "java hotspot", "::javaexception"},
		{"::jserror", "", "::analyze"},
		{"::javaspaces", "java art", ""},
		{"::javaspaces", "java hotspot", "::jvm"},
		{"::javaspaces", "", "::memory"},
		{"::jvm -p", "", "::status"},
		{"::stack", "", ""},
		{"::print x | ::jserror", "", ""},
	} {
		if got, _ := suited(x.line, func() []string { return strings.Fields(x.found) }); got != x.want {
			t.Errorf("%s in a process with %q: %q, want %q", x.line, x.found, got, x.want)
		}
	}
}
