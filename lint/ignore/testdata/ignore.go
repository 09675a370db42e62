package a

func bare() {
	//twiddle:ignore // want `\[error TW000\] //twiddle:ignore needs a code and a reason`
}

func noReason() {
	//twiddle:ignore TW007 // want `//twiddle:ignore TW007 has no reason, so it ignores nothing`
}

func noReasonForTwo() {
	_ = 1 //twiddle:ignore TW007, TW008 // want `TW007, TW008 has no reason`
}

func noCode() {
	//twiddle:ignore because I say so // want `needs a code and a reason`
}

func unknown() {
	//twiddle:ignore TW999 no such thing // want `names TW999, which is not a code of twiddle lint`
}

func unknownKernel() {
	//twiddle:ignore TWK99 no such thing // want `names TWK99`
}

func unknownWithoutReason() {
	//twiddle:ignore TW777 // want `TW777 has no reason` `names TW777`
}

func good() {
	//twiddle:ignore TW007 the mirror image is plotted too
}

func goodTwo() {
	//twiddle:ignore TW007,TW008 the length is even by construction
}

func goodKernel() {
	//twiddle:ignore TWK01 the divisor is a power of two
}

func trailing() {
	_ = 1 //twiddle:ignore TW001 one number, once
}

func another() {
	//twiddle:ignored TW007
}

func prose() {
	// A comment that mentions //twiddle:ignore is none.
}

func spaced() {
	// twiddle:ignore is not a directive with a space in front.
}
