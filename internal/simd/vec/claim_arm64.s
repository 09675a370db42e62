#include "textflag.h"

// func claim(at unsafe.Pointer, step, rows, bytes int)
TEXT ·claim(SB), NOSPLIT, $0-32
	MOVD at+0(FP), R0
	MOVD step+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD bytes+24(FP), R3

row:
	SUBS $1, R2, R2
	BLT  done
	MOVD R0, R4
	ADD  R3, R0, R5
	SUB  $1, R5, R5

line:
	PRFM (R4), PSTL1KEEP
	ADD  $64, R4, R4
	CMP  R5, R4
	BLO  line
	PRFM (R5), PSTL1KEEP
	ADD  R1, R0, R0
	B    row

done:
	RET
