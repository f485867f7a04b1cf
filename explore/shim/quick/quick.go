// Package quick is the standard package testing/quick with the same values in each execution: a call of Check
// or CheckEqual without a source of random numbers draws from one that starts the same each time.
package quick

import (
	"math/rand"
	"reflect"
	"testing/quick"

	"github.com/samecycle/samecycle/explore/shim/chance"
)

// The types of the original.
type (
	// Generator makes values of its own type.
	Generator = quick.Generator
	// Config says how often a function is called, and with which values.
	Config = quick.Config
	// SetupError says what is wrong with the way of calling Check.
	SetupError = quick.SetupError
	// CheckError has the values with which a function returned false.
	CheckError = quick.CheckError
	// CheckEqualError has the values with which two functions differ.
	CheckEqualError = quick.CheckEqualError
)

// Value draws a value of the type.
func Value(t reflect.Type, rand *rand.Rand) (value reflect.Value, ok bool) {
	return quick.Value(t, rand)
}

// Check calls f with drawn values until it returns false.
func Check(f any, config *Config) error { return quick.Check(f, seeded(config)) }

// CheckEqual calls f and g with drawn values until they differ.
func CheckEqual(f, g any, config *Config) error { return quick.CheckEqual(f, g, seeded(config)) }

// seeded returns the configuration with a source of random numbers.
func seeded(config *Config) *Config {
	var c Config
	if config != nil {
		c = *config
	}
	if c.Rand == nil {
		c.Rand = rand.New(rand.NewSource(chance.Seed))
	}
	return &c
}
