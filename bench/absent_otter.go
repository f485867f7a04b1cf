//go:build no_otter

package bench

func peerOtter() peer { return peer{name: "otter", absent: errAbsent} }
