package js

import "coredbg/commands"

// objectCommands are the commands over values and V8's own objects.
func objectCommands() []commands.Command {
	return []commands.Command{
		jsprintCommand, jsglobalCommand, jsconstructorCommand, jsarrayCommand, nodebufferCommand,
		jsfunctionCommand, jssourceCommand, jsclosureCommand, jscontextCommand, jserrorCommand,
		v8printCommand, v8arrayCommand, v8contextCommand, v8functionCommand, v8scopeinfoCommand,
		v8internalCommand, v8typesCommand, v8classesCommand, v8fieldCommand, v8frametypesCommand, v8warningsCommand,
	}
}
