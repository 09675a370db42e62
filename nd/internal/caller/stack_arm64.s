#include "textflag.h"

// func returns(at *chain) int
TEXT ·returns(SB), NOSPLIT|NOFRAME, $0-16
	MOVD at+0(FP), R0
	MOVD 0(g), R1 // the goroutine's stack, from
	MOVD 8(g), R2 // up to
	SUB  $16, R2, R2
	MOVD R29, R3
	MOVD $0, R4

next:
	CMP  R1, R3
	BLO  done
	CMP  R2, R3
	BHI  done
	MOVD 8(R3), R5
	MOVD R5, (R0)(R4<<3)
	ADD  $1, R4
	CMP  $48, R4
	BEQ  done
	MOVD (R3), R3
	B    next

done:
	MOVD R4, ret+8(FP)
	RET
