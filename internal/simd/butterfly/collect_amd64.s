#include "textflag.h"

// func collect4AVX512(dst, src unsafe.Pointer, places *int32, count int)
TEXT ·collect4AVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ places+16(FP), DX
	MOVQ count+24(FP), CX

loop:
	VMOVDQU32  (DX), Z0
	KXNORW     K1, K1, K1
	VPXORQ     Z1, Z1, Z1
	VGATHERDPS (SI)(Z0*4), K1, Z1
	VMOVUPS    Z1, (DI)
	ADDQ       $64, DX
	ADDQ       $64, DI
	SUBQ       $16, CX
	JG         loop
	VZEROUPPER
	RET

// func collect8AVX512(dst, src unsafe.Pointer, places *int32, count int)
TEXT ·collect8AVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ places+16(FP), DX
	MOVQ count+24(FP), CX

loop:
	VMOVDQU    (DX), Y0
	VMOVDQU    32(DX), Y1
	KXNORW     K1, K1, K1
	KXNORW     K2, K2, K2
	VPXORQ     Z2, Z2, Z2
	VPXORQ     Z3, Z3, Z3
	VGATHERDPD (SI)(Y0*8), K1, Z2
	VGATHERDPD (SI)(Y1*8), K2, Z3
	VMOVUPD    Z2, (DI)
	VMOVUPD    Z3, 64(DI)
	ADDQ       $64, DX
	ADDQ       $128, DI
	SUBQ       $16, CX
	JG         loop
	VZEROUPPER
	RET

// func collect16AVX2(dst, src unsafe.Pointer, places *int32, count int)
TEXT ·collect16AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ places+16(FP), DX
	MOVQ count+24(FP), CX

loop:
	MOVL    (DX), R8
	MOVL    4(DX), R9
	MOVL    8(DX), R10
	MOVL    12(DX), R11
	ADDQ    R8, R8
	ADDQ    R9, R9
	ADDQ    R10, R10
	ADDQ    R11, R11
	VMOVUPS (SI)(R8*8), X0
	VMOVUPS (SI)(R9*8), X1
	VMOVUPS (SI)(R10*8), X2
	VMOVUPS (SI)(R11*8), X3
	VMOVUPS X0, (DI)
	VMOVUPS X1, 16(DI)
	VMOVUPS X2, 32(DI)
	VMOVUPS X3, 48(DI)
	ADDQ    $16, DX
	ADDQ    $64, DI
	SUBQ    $4, CX
	JG      loop
	RET
