// Package clients has no code: below it are clients of slot files in other languages (docs/slots.md), and its
// tests run them against a service in Go.
package clients
