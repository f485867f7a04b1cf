//go:build explore

package scenarios

func requireExplored() error { return nil }
