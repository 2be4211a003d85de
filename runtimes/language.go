package runtimes

// A Language is a language whose programs a runtime runs.
type Language string

// The languages.
const (
	LanguageJavaScript Language = "javascript"
	LanguageJava       Language = "java"
	LanguageGo         Language = "go"
)

// A Speaker is a Runtime that runs the programs of one language. Commands declare their language (commands.View), and
// clients find them by the languages of the process.
type Speaker interface {
	Runtime
	Language() Language
}
