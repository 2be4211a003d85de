// Command fleet asks of any number of cores why they died, on as many machines as there
// are: the triage of coredbg as a pipeline of Apache Beam, which brings the runners, the
// file systems and the retries. It is a module of its own, so that the debugger does not
// depend on Beam.
//
//	main.go       flags, and what a process that reads one core does
//	inputs.go     which cores: of this machine when the pipeline is made, of others within it
//	pipeline.go   the pipeline: cores, lines, bugs
//	read.go       a core's line, by a process of its own
//	rows.go       lines and bugs as rows of Parquet
//	output.go     files that are there whole or not at all
//
// A core is read by a process of its own with bounds, as coredbg triage does it: one that
// is damaged or hostile costs its own line, and no worker.
//
// LIMITATIONS: the lines of one run end in one file of each kind, which one worker writes;
// their order is that of chance. Cores of other file systems are copied to the worker's
// disk to be read, one at a time for each of its threads.
package main
