//go:build race

package hostileslots

const raceDetector = true
