//go:build cgo && !no_lmdb

package caches

import (
	"errors"
	"os"
	"runtime"
	"sync"

	"github.com/bmatsuo/lmdb-go/lmdb"
)

var _ = register(kind{name: "LMDB", modules: []string{"bmatsuo/lmdb-go"}, unbounded: true, solo: true,
	about: "a database in memory, whose file other processes may open, called through cgo; it does not evict",
	make:  newLMDB})

// lmdbStore has a read transaction that is renewed for each get, since an open one would keep old
// pages; a set is a transaction, so that others see it.
type lmdbStore struct {
	env *lmdb.Env
	dbi lmdb.DBI
	dir string
	mu  sync.Mutex // of the read transaction
	txn *lmdb.Txn
	err error
}

// newLMDB writes to memory and never waits for a disk.
func newLMDB(r room) (store, error) {
	dir, err := scratch("lmdb")
	if err != nil {
		return nil, err
	}
	s := &lmdbStore{dir: dir}
	if s.env, err = lmdb.NewEnv(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.open(4*r.bytes() + 64<<20); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *lmdbStore) open(bytes int) error {
	if err := s.env.SetMapSize(int64(bytes)); err != nil {
		return err
	}
	err := s.env.Open(s.dir, lmdb.WriteMap|lmdb.NoSync|lmdb.NoReadahead|lmdb.NoTLS, 0o600)
	if err != nil {
		return err
	}
	err = s.env.Update(func(txn *lmdb.Txn) (err error) {
		s.dbi, err = txn.OpenRoot(0)
		return err
	})
	if err != nil {
		return err
	}
	if s.txn, err = s.env.BeginTxn(nil, lmdb.Readonly); err != nil {
		return err
	}
	s.txn.RawRead = true
	s.txn.Reset()
	return nil
}

func (s *lmdbStore) get(key, dst []byte) (value []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.txn.Renew(); err != nil {
		s.err = err
		return nil, false
	}
	v, err := s.txn.Get(s.dbi, key)
	if err == nil {
		dst, ok = append(dst, v...), true
	} else if !lmdb.IsNotFound(err) {
		s.err = err
	}
	s.txn.Reset()
	return dst, ok
}

func (s *lmdbStore) set(key, value []byte) bool {
	return s.update(func(txn *lmdb.Txn) error { return txn.Put(s.dbi, key, value, 0) })
}

func (s *lmdbStore) remove(key []byte) {
	s.update(func(txn *lmdb.Txn) error {
		if err := txn.Del(s.dbi, key, nil); !lmdb.IsNotFound(err) {
			return err
		}
		return nil
	})
}

// update is a transaction on a thread that it keeps, as the library asks for.
func (s *lmdbStore) update(f lmdb.TxnOp) bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := s.env.UpdateLocked(f)
	if err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
	}
	return err == nil
}

func (s *lmdbStore) settle() {}

func (s *lmdbStore) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *lmdbStore) close() error {
	if s.txn != nil {
		s.txn.Abort()
	}
	return errors.Join(s.env.Close(), os.RemoveAll(s.dir))
}
