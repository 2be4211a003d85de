## The trampoline of signals, in the shape of libsystem_platform's: a frame with
## rbp, the ucontext in rbx during the handler, and call frame information that
## is all expressions: from rbx to uc_mcontext (48), from there to a register.
## Like the original's, the one for rip is one too high for a fault.
  .section __TEXT,__text,regular,pure_instructions
  .globl __sigtramp
  .p2align 4
## rdi handler, esi style, edx signal, rcx siginfo, r8 ucontext, r9 token
__sigtramp:
  .cfi_startproc
  .cfi_signal_frame
  .macro kept reg, offset
  .cfi_escape 0x10, \reg, 6, 0x73, 48, 0x06, 0x23, (\offset & 0x7f) | 0x80, \offset >> 7
  .endm
  .cfi_escape 0x0f, 7, 0x73, 48, 0x06, 0x23, 0xc8, 0, 0x06
  kept 0, 16
  kept 3, 24
  kept 2, 32
  kept 1, 40
  kept 5, 48
  kept 4, 56
  kept 6, 64
  kept 7, 72
  kept 8, 80
  kept 9, 88
  kept 10, 96
  kept 11, 104
  kept 12, 112
  kept 13, 120
  kept 14, 128
  kept 15, 136
  .cfi_escape 0x16, 16, 9, 0x73, 48, 0x06, 0x23, 0x90, 1, 0x06, 0x31, 0x22
  pushq %rbp
  movq %rsp, %rbp
  movq %r8, %rbx
  movq %rdi, %rax
  movl %edx, %edi
  movq %rcx, %rsi
  movq %r8, %rdx
  callq *%rax
  movq %rbx, %rdi
  movl $30, %esi
  callq _sys_wait
  ud2
  .cfi_endproc
  .subsections_via_symbols
