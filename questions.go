package coredbg

import "coredbg/commands"

// questions returns the questions that ::help answers, and the commands that answer them.
func questions() []commands.Question {
	all := func(lines ...string) (list []commands.Answer) {
		for _, l := range lines {
			list = append(list, commands.Answer{Line: l})
		}
		return list
	}
	of := func(runtimes []string, lines ...string) []commands.Answer {
		list := all(lines...)
		for i := range list {
			list[i].Runtimes = runtimes
		}
		return list
	}
	js, java, golang := []string{"v8"}, []string{"art", "hotspot"}, []string{"go"}
	join := func(lists ...[]commands.Answer) (list []commands.Answer) {
		for _, l := range lists {
			list = append(list, l...)
		}
		return list
	}
	return []commands.Question{
		{Ask: "why did it die", Answers: join(all("::analyze"), of(js, "::jserror", "::nodefatal"),
			of(java, "::javaexception"),
			all("::status", "::siginfo", "::heapcheck", "::signature"))},
		{Ask: "where is each thread", Answers: join(of(js, "::jsstack"), of(java, "::javastack"),
			of(golang, "::goroutines"),
			all("::stack", "::stacks", "::threads", "::thread NUMBER", "::mutexes"), of(java, "::deadlock"),
			of(js, "::uvloop", "::promises", "::asyncstack"))},
		{Ask: "what is in this", Answers: join(all("::locals"), of(js, "::jsprint NAME"), of(java, "ADDR::javaprint"),
			all("::print NAME", "::source", "::frame NUMBER", "ADDR::whatis", "main::dis", "ADDR::dump", "::regs"))},
		{Ask: "who holds the memory", Answers: join(of(append(js, java...), "::leaks", "::heapstat", "ADDR::gcroot",
			"::dominators"), of(js, "::findjsobjects"),
			of(java, "::javaheap"), all("::memory", "::findleaks", "::malloc", "::mappings"))},
		{Ask: "what has changed", Answers: join(of(append(js, java...), "::heapdiff CORE"),
			all("coredbg diff OLD NEW"))},
		{Ask: "many cores", Answers: all("coredbg triage FOLDER", "coredbg groups FILE", "coredbg report CORE")},
	}
}
