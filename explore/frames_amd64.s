#include "textflag.h"

// func returnAddresses(dst *uintptr, n, skip int) int
//
// It follows the chain of saved frame pointers. Assembly is neither preempted nor able to grow
// the stack, so the stack does not move meanwhile.
TEXT ·returnAddresses(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ skip+16(FP), DX
	MOVQ BP, AX
	XORQ BX, BX

loop:
	TESTQ AX, AX
	JEQ   done
	CMPQ  BX, CX
	JGE   done
	MOVQ  8(AX), SI
	MOVQ  0(AX), AX
	TESTQ DX, DX
	JGT   pass
	MOVQ  SI, (DI)(BX*8)
	INCQ  BX
	JMP   loop

pass:
	DECQ DX
	JMP  loop

done:
	MOVQ BX, ret+24(FP)
	RET
