// Package classic has small concurrent programs that explorers are commonly tried on: litmus
// tests, locks, lock-free structures and the families of the papers on partial order reduction.
// Each is written once, so that every tool and every mode of the explorer can be measured on the
// same programs.
package classic
