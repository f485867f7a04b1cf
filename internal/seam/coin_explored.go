//go:build explore

package seam

// Coin gives random bits. The zero value is ready. Explored it keeps none, since what an execution chooses
// may not depend on the one before it.
type Coin struct{}

// Toss is RandomBit.
func (*Coin) Toss() uint32 { return RandomBit() }
