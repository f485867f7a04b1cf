package cache

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// A function that ends the goroutine which tells it, as the FailNow of a test does, ends no janitor: what
// expires later is found and told as before, and Close ends the janitor.
func TestJanitor_GoroutineIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := map[string]int{}
		c := open(t, "", Options{Bytes: 1 << 20, OnEvent: func(e Event) {
			if told[string(e.Key)]++; string(e.Key) != "last" {
				runtime.Goexit()
			}
		}})
		for _, key := range []string{"first", "second", "last"} {
			setTTL(t, c, key, time.Second)
			time.Sleep(time.Minute)
			synctest.Wait() // a turn may begin at this instant
			if told[key] != 1 {
				t.Errorf("the end of %s was told %d times", key, told[key])
			}
		}
		if c.clock.tick.Load() == 0 {
			t.Error("nobody moves the tick")
		}
	})
}
