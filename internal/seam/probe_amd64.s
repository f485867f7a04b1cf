//go:build !explore && race

#include "textflag.h"

// func probe(x *Uint64)
TEXT ·probe(SB), NOSPLIT, $0-8
	MOVQ x+0(FP), AX
	LOCK
	ORQ  $0, (AX)
	RET
