package linalg

// A row of complex numbers is parted into real parts and, in its second half,
// imaginary parts. What is done to rows of real numbers, such as turning two of
// them, is then done to it as well.

// parted is numbers in parts.
func parted(z []complex128) []float64 {
	parts := make([]float64, 2*len(z))
	for i, v := range z {
		parts[i], parts[len(z)+i] = real(v), imag(v)
	}
	return parts
}

// whole undoes parted.
func whole(z []complex128, parts []float64) {
	for i := range z {
		z[i] = complex(parts[i], parts[len(z)+i])
	}
}

// crossed is the imaginary part of the product of x with the conjugate of y.
func crossed(x, y []float64) float64 {
	half := len(x) / 2
	_, plus, _ := rowOps.Products(x[half:], y[:half])
	_, minus, _ := rowOps.Products(x[:half], y[half:])
	return plus - minus
}

// turnPhase multiplies a row by a number of modulus 1.
func turnPhase(row []float64, re, im float64) {
	half := len(row) / 2
	rowOps.Rotate(row[:half], row[half:], re, -im)
}

// takeParted takes x, c times, out of row.
func takeParted(row, x []float64, c complex128) {
	half := len(row) / 2
	rowOps.AddScaled(row, x, -real(c))
	rowOps.AddScaled(row[:half], x[half:], imag(c))
	rowOps.AddScaled(row[half:], x[:half], -imag(c))
}
