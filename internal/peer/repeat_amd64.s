//go:build linux || darwin

#include "textflag.h"

DATA ·repeatAddress(SB)/8, $·repeatC(SB)
GLOBL ·repeatAddress(SB), NOPTR, $8

// C: void repeatC(long count, long (*fn)(long, long, long), long a, long b, long c)
//	do { fn(a, b, c); } while (--count);
// Five saved registers bring the stack to the 16 bytes a call must see. AX
// counts the vector arguments of variadic functions: there are none.
TEXT ·repeatC(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	PUSHQ R14
	PUSHQ R15
	MOVQ  DI, BX
	MOVQ  SI, R15
	MOVQ  DX, R12
	MOVQ  CX, R13
	MOVQ  R8, R14

again:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R14, DX
	XORL AX, AX
	CALL R15
	DECQ BX
	JNZ  again

	POPQ R15
	POPQ R14
	POPQ R13
	POPQ R12
	POPQ BX
	RET
