package out

import "strings"

// ErrorLines returns the lines of an error: one for each of the errors joined in it. Unprintable characters are
// escaped, newlines included: the names of files and the contents of a core may have any bytes.
func ErrorLines(err error) []string {
	joined := parts(err)
	if joined == nil {
		return []string{errorLine(err)}
	}
	var lines []string
	for _, e := range joined {
		lines = append(lines, ErrorLines(e)...)
	}
	return lines
}

// errorLine is an error in one line; errors joined further down in it are separated by semicolons.
func errorLine(err error) string {
	return Clean(semicolons(err, strings.TrimRight(err.Error(), "\n")), false)
}

// semicolons replaces in text what the errors that err wraps have joined by
// newlines.
func semicolons(err error, text string) string {
	if joined := parts(err); joined != nil {
		return strings.Replace(text, err.Error(), strings.Join(ErrorLines(err), "; "), 1)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return semicolons(inner, text)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			text = semicolons(inner, text)
		}
	}
	return text
}

// parts returns the errors that errors.Join has put into err; nil if that is not what
// err is.
func parts(err error) []error {
	j, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var texts []string
	for _, e := range j.Unwrap() {
		texts = append(texts, e.Error())
	}
	if err.Error() != strings.Join(texts, "\n") {
		return nil // fmt.Errorf with several %w
	}
	return j.Unwrap()
}
