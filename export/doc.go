// Package export writes cores in the forms that other systems take: collectors of crashes, of
// telemetry, and of findings. All documents are made of the same line of triage and the same
// stacks.
//
//	export.go    the formats, and their common input
//	sentry.go    an event of Sentry: the payload that Relay takes
//	breakpad.go  the JSON of rust-minidump, as Mozilla's tools read it
//	ureport.go   uReport 2 of satyr and faf: ABRT
//	otel.go      a log record of OpenTelemetry, with the attributes of exceptions, in OTLP/JSON
//	sarif.go     a result of SARIF 2.1.0, and the log that joins many
//
// The tests have the requirements of the formats' schemas, and the places where they are published.
//
// LIMITATIONS: values of variables, which some of these formats could hold, are left out: they may be
// secret. Facts that a core lacks, such as the release of its distribution, are left out, or called
// unknown where they are required.
package export
