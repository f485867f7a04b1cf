//go:build no_xsync

package bench

func peerXsync() peer { return peer{name: "xsync", absent: errAbsent} }
