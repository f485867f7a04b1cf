//go:build !no_memcached

package caches

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

var _ = register(kind{name: "memcached", modules: []string{"bradfitz/gomemcache"}, solo: true, served: true,
	fewer: 16, slower: 32, make: newMemcached, version: memcachedVersion,
	about: "a server with one thread behind a unix socket; one key a call; keys in hexadecimal"})

type memcachedStore struct {
	client *memcache.Client
	server *exec.Cmd
	dir    string
	mu     sync.Mutex
	err    error
}

// startTime is how long the server may take until it answers.
const startTime = 5 * time.Second

// newMemcached starts a server of its own, and waits until it answers.
func newMemcached(r room) (store, error) {
	file, err := exec.LookPath("memcached")
	if err != nil {
		return nil, fmt.Errorf("memcached is not installed, install the package memcached: %w", err)
	}
	dir, err := scratch("memcached")
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(dir, "socket")
	args := []string{"-s", socket, "-t", "1", "-m", strconv.Itoa(r.bytes()>>20 + 16)}
	if os.Geteuid() == 0 {
		args = append(args, "-u", "root") // it refuses to run as root without being told
	}
	s := &memcachedStore{dir: dir, server: exec.Command(file, args...), client: memcache.New(socket)}
	s.client.Timeout = 10 * time.Second // a busy machine lets it wait
	if err := s.server.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for end := time.Now().Add(startTime); ; time.Sleep(5 * time.Millisecond) {
		if err = s.client.Ping(); err == nil {
			return s, nil
		}
		if time.Now().After(end) {
			return nil, errors.Join(fmt.Errorf("memcached does not answer within %v: %w", startTime, err),
				s.close())
		}
	}
}

// get has the client's copy: it reads from a socket.
func (s *memcachedStore) get(key, _ []byte) ([]byte, bool) {
	item, err := s.client.Get(hex.EncodeToString(key))
	if err != nil {
		s.keep(err)
		return nil, false
	}
	return item.Value, true
}

func (s *memcachedStore) set(key, value []byte) bool {
	err := s.client.Set(&memcache.Item{Key: hex.EncodeToString(key), Value: value})
	s.keep(err)
	return err == nil
}

func (s *memcachedStore) remove(key []byte) { s.keep(s.client.Delete(hex.EncodeToString(key))) }
func (s *memcachedStore) settle()           {}

func (s *memcachedStore) keep(err error) {
	if err == nil || errors.Is(err, memcache.ErrCacheMiss) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *memcachedStore) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// residentBytes is the memory of the server.
func (s *memcachedStore) residentBytes() (uint64, error) { return residentOf(s.server.Process.Pid) }

// memcachedVersion is that of the server, as it tells itself.
func memcachedVersion() string {
	text, err := exec.Command("memcached", "-V").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func (s *memcachedStore) close() error {
	err := errors.Join(s.client.Close(), s.server.Process.Kill())
	_ = s.server.Wait() // it was killed
	return errors.Join(err, os.RemoveAll(s.dir))
}
