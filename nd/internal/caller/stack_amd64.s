#include "textflag.h"

// func returns(at *chain) int
TEXT ·returns(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ at+0(FP), DI
	MOVQ (TLS), R8
	MOVQ 0(R8), R9 // the goroutine's stack, from
	MOVQ 8(R8), R10 // up to
	SUBQ $16, R10
	MOVQ BP, BX
	XORQ CX, CX

next:
	CMPQ BX, R9
	JB   done
	CMPQ BX, R10
	JA   done
	MOVQ 8(BX), AX
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	CMPQ CX, $48
	JEQ  done
	MOVQ (BX), BX
	JMP  next

done:
	MOVQ CX, ret+8(FP)
	RET
