/* int hop_NNNN(void **rest): call rest[0](rest + 1). The number is put in by sed. */
	.text
	.globl	hop_NNNN
	.type	hop_NNNN, @function
hop_NNNN:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	movq	%rdi, %rax
	addq	$8, %rdi
	call	*(%rax)
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	hop_NNNN, .-hop_NNNN
	.section .note.GNU-stack, "", @progbits
