// Package lend gives a confined process the files that it asks for. The process that started
// it looks for them, checks what they are, and sends them as open file descriptors over a
// socket. So a core decides neither which files nor which folders its process may open.
//
//	lend.go         what is asked and answered
//	proof.go        what a file has to be to be lent
//	lender_linux.go the process that lends
//	borrower_linux.go  the process that asks
//	other.go        systems without Landlock, where nothing is lent
//
// LIMITATIONS: files of Mach-O and of Windows are found only in the folders that the user
// named, which the confined process opens itself.
package lend
