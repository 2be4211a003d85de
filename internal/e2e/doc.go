// Package e2e has the tests that go from one end of the debugger to the other:
// real cores, opened as a user's program opens them, must show what their own
// programs said about themselves. There is nothing in it but tests.
//
// Those of the corpus (testdata/cores) always run. Those of live cores need a
// folder that "testdata/cores/make live" filled, named by COREDBG_LIVE.
package e2e
