//go:build linux || darwin

#include "textflag.h"

DATA ·repeatAddress(SB)/8, $·repeatC(SB)
GLOBL ·repeatAddress(SB), NOPTR, $8

// C: void repeatC(long count, long (*fn)(long, long, long), long a, long b, long c)
//	do { fn(a, b, c); } while (--count);
// What C expects to find again is saved: the frame, and the registers used here.
TEXT ·repeatC(SB), NOSPLIT|NOFRAME, $0-0
	STP.W (R29, R30), -64(RSP)
	STP   (R19, R20), 16(RSP)
	STP   (R21, R22), 32(RSP)
	MOVD  R23, 48(RSP)
	MOVD  RSP, R29
	MOVD  R0, R19
	MOVD  R1, R20
	MOVD  R2, R21
	MOVD  R3, R22
	MOVD  R4, R23

again:
	MOVD R21, R0
	MOVD R22, R1
	MOVD R23, R2
	CALL (R20)
	SUBS $1, R19, R19
	BNE  again

	LDP   16(RSP), (R19, R20)
	LDP   32(RSP), (R21, R22)
	MOVD  48(RSP), R23
	LDP.P 64(RSP), (R29, R30)
	RET
