#include "textflag.h"

// func claim(at unsafe.Pointer, step, rows, bytes int)
//
// Go's assembler has no name for PREFETCHW. Processors before Broadwell take it for a
// NOP; there the PREFETCHT0 behind it brings the line, which elsewhere is on its way.
TEXT ·claim(SB), NOSPLIT, $0-32
	MOVQ at+0(FP), AX
	MOVQ step+8(FP), BX
	MOVQ rows+16(FP), CX
	MOVQ bytes+24(FP), DX

row:
	DECQ CX
	JLT  done
	MOVQ AX, SI
	LEAQ -1(AX)(DX*1), DI

line:
	BYTE $0x0F; BYTE $0x0D; BYTE $0x0E // PREFETCHW (SI)
	PREFETCHT0 (SI)
	ADDQ $64, SI
	CMPQ SI, DI
	JCS  line
	BYTE $0x0F; BYTE $0x0D; BYTE $0x0F // PREFETCHW (DI)
	PREFETCHT0 (DI)
	ADDQ BX, AX
	JMP  row

done:
	RET
