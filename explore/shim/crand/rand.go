// Package rand is the standard package crypto/rand with the same numbers in each execution.
//
// Inside an exploration all functions draw from one source, which starts the same in each execution. A draw
// is a step on it: in every order, the actor that draws first gets the first number. The numbers drawn there
// are not secret.
package rand

import (
	original "crypto/rand"
	"errors"
	"io"
	"math/big"
	source "math/rand/v2"

	"github.com/samecycle/samecycle/explore/shim/chance"
)

// bytes is the source of the running execution.
var bytes = chance.Source[*source.ChaCha8]{New: func() *source.ChaCha8 {
	return source.NewChaCha8([32]byte{chance.Seed})
}}

// Reader is the source. As in the original, a program may replace it by a Reader of its own.
var Reader io.Reader = reader{}

type reader struct{}

// Read fills b. It never fails.
func (reader) Read(b []byte) (int, error) {
	return chance.Draw(&bytes, func() int {
		n, _ := original.Read(b) // it never fails
		return n
	}, func(r *source.ChaCha8) int {
		n, _ := r.Read(b) // this one never fails either
		return n
	}), nil
}

// Read fills b from the Reader. It panics if that fails; the original ends the program.
func Read(b []byte) (n int, err error) {
	if _, err := io.ReadFull(Reader, b); err != nil {
		panic("crypto/rand: failed to read random data: " + err.Error())
	}
	return len(b), nil
}

// Int draws a number from [0, max) as the original does. It panics if max is not positive.
func Int(rand io.Reader, max *big.Int) (n *big.Int, err error) { return original.Int(rand, max) }

// Prime draws a number of so many bits that is prime with high probability. From some version on, the
// original uses its own source, so this package has the algorithm itself.
func Prime(r io.Reader, bits int) (*big.Int, error) {
	const tests = 20
	if bits < 2 {
		return nil, errors.New("crypto/rand: prime size must be at least 2-bit")
	}
	least := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	for {
		p, err := original.Int(r, least)
		if err != nil {
			return nil, err
		}
		if p.Add(p, least); p.ProbablyPrime(tests) {
			return p, nil
		}
	}
}

// letters are the letters of Text: base32 of RFC 4648.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// Text draws a text of 130 random bits.
func Text() string {
	text := make([]byte, 26)
	if _, err := Read(text); err != nil {
		panic(err)
	}
	for i, b := range text {
		text[i] = letters[int(b)%len(letters)]
	}
	return string(text)
}
