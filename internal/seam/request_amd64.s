//go:build !explore

#include "textflag.h"

// func Request(x *Uint64)
TEXT ·Request(SB), NOSPLIT, $0-8
	MOVQ       x+0(FP), AX
	PREFETCHT0 (AX)
	RET
