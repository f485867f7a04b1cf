package beside

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// The handler lacks its lock. It runs in goroutines of net/http, which no schedule has.
func TestServer(t *testing.T) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n = n + 1 }))
	defer s.Close()
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			if r, err := http.Get(s.URL); err == nil {
				_ = r.Body.Close()
			}
		}()
	}
	all.Wait()
}
