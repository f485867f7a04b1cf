package hostileslots

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
	"golang.org/x/sys/unix"
)

// geometry is that of both slot files. The places of the words follow from it (impl/slots/layout.go).
var geometry = slots.Options{Slots: 4, RequestBytes: 2048, ResponseBytes: 2048}

const (
	header = 256
	bell   = 64
	state  = 64 // bytes of a slot ahead of its request
)

func slotAt(i int) int { return header + i*(state+geometry.RequestBytes+geometry.ResponseBytes) }

// attacker is the hostile client of one slot file.
type attacker struct {
	*run
	served *served
	client *slots.Client
	file   *os.File
	memory []byte // of the file, mapped once more
}

// hostile overwrites words until there are enough.
func (x *run) hostile(ctx context.Context) error {
	for {
		a, err := x.newAttacker()
		if err != nil {
			return err
		}
		for !a.over(ctx) {
			if cut, err := a.round(); cut || err != nil {
				break
			}
		}
		if err := a.end(); err != nil {
			return err
		}
		switch {
		case ctx.Err() != nil:
			x.Ended = context.Cause(ctx).Error()
		case x.failed():
			x.Ended = "at a fault"
		case x.Words >= x.o.Words:
			x.Ended = fmt.Sprintf("%d words", x.Words)
		default:
			continue
		}
		return x.last()
	}
}

func (x *run) over(ctx context.Context) bool {
	return ctx.Err() != nil || x.Words >= x.o.Words || x.failed()
}

// newAttacker makes a new hostile file with its service and client.
func (x *run) newAttacker() (*attacker, error) {
	path := filepath.Join(x.folder, "hostile.slots")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	s, err := x.newServed(path)
	if err != nil {
		return nil, err
	}
	a := &attacker{run: x, served: s}
	if a.client, err = slots.Dial(path, os.Geteuid()); err == nil {
		a.file, err = os.OpenFile(path, os.O_RDWR, 0)
	}
	if err == nil {
		a.memory, err = unix.Mmap(int(a.file.Fd()), 0, slotAt(geometry.Slots), unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_SHARED)
	}
	return a, err
}

// end ends the client and its service, which may have ended for a cut file and for nothing else.
func (a *attacker) end() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	// A page is gone or it is there. The service looks at the state of the last slot in each turn.
	page := int64(os.Getpagesize())
	gone := (info.Size()+page-1)/page*page <= int64(slotAt(geometry.Slots-1))
	if gone {
		if err := <-a.served.ended; !errors.Is(err, slots.ErrCorrupt) && !a.failed() {
			a.fault("the service of a cut file ended with %v, want %v", err, slots.ErrCorrupt)
		}
		a.CutsMet++
		a.served.ended <- nil
	}
	if err := a.served.end(); err != nil && !(gone && errors.Is(err, slots.ErrCorrupt)) {
		a.fault("the service of the hostile client ended: %v", err)
	}
	a.add(a.served.service.Counts())
	return errors.Join(unix.Munmap(a.memory), a.file.Close(), a.client.Close())
}

// add sums what the services of the hostile client have counted.
func (a *attacker) add(n remote.Counts) {
	to := &a.Hostile
	to.Requests, to.Oversized, to.Damaged = to.Requests+n.Requests, to.Oversized+n.Oversized,
		to.Damaged+n.Damaged
	to.Dropped, to.Reclaimed, to.Sleeps = to.Dropped+n.Dropped, to.Reclaimed+n.Reclaimed, to.Sleeps+n.Sleeps
	to.Late, to.Empty = to.Late+n.Late, to.Empty+n.Empty
	to.Operations, to.Refused = to.Operations+n.Operations, to.Refused+n.Refused
	to.Malformed += n.Malformed
}

// One round in so many cuts the file, or makes it grow.
const cutEvery = 500

// round overwrites some words, and sends or rings. It reports whether it has cut the file.
func (a *attacker) round() (cut bool, err error) {
	a.Rounds++
	runtime.Gosched()
	for range 1 + a.random.IntN(16) {
		a.overwrite()
	}
	switch a.random.IntN(4) {
	case 0:
		a.met(a.ring)
	case 1, 2:
		a.met(a.send)
	}
	if !a.o.noCuts && a.random.IntN(cutEvery) == 0 {
		size := int64(a.random.IntN(2 * len(a.memory)))
		if err := a.file.Truncate(size); err != nil {
			return false, err
		}
		if size < int64(len(a.memory)) {
			a.Cuts++
			return true, nil
		}
	}
	if a.Rounds%256 == 0 {
		a.heap()
		a.o.Progress(fmt.Sprintf("round %d, %d words, %d cuts", a.Rounds, a.Words, a.Cuts),
			float64(a.Words)/float64(max(a.o.Words, 1)))
	}
	return false, nil
}

// metMost bounds how often met looks. The service may rest, since it was woken for nothing too often.
const metMost = 1000

// met makes a step, and gives the service time for a turn, so that it meets what is there.
func (a *attacker) met(step func()) {
	before := a.served.service.Counts()
	step()
	for n := 0; n < metMost && a.served.service.Counts() == before; n++ {
		runtime.Gosched()
	}
}

// ring wakes the service of the hostile client for nothing.
func (a *attacker) ring() {
	a.put(bell, a.get(bell)+1)
	region.Futex{}.Wake((*uint32)(unsafe.Pointer(&a.memory[bell])))
}

func (a *attacker) get(at int) uint64    { return binary.NativeEndian.Uint64(a.memory[at:]) }
func (a *attacker) put(at int, v uint64) { binary.NativeEndian.PutUint64(a.memory[at:], v) }

// overwrite overwrites one word.
func (a *attacker) overwrite() {
	part, at := a.place()
	a.put(at, a.value(at))
	a.Words++
	a.Parts[part]++
}

// place chooses a word. Those that steer the service are chosen more often than there are of them.
func (a *attacker) place() (part string, at int) {
	i := slotAt(a.random.IntN(geometry.Slots))
	switch a.random.IntN(10) {
	case 0, 1, 2:
		return "state", i
	case 3, 4:
		return "length of a request", i + state
	case 5:
		return "length of an answer", i + state + geometry.RequestBytes
	case 6:
		return "header", 8 * a.random.IntN(header/8)
	case 7:
		return "head of an operation", i + state + 8 + 8*a.random.IntN(3)
	}
	return "anything", i + 8*a.random.IntN((state+geometry.RequestBytes+geometry.ResponseBytes)/8)
}

// value chooses what to write.
func (a *attacker) value(at int) uint64 {
	is := a.get(at)
	switch a.random.IntN(8) {
	case 0:
		return is ^ 1<<a.random.IntN(64)
	case 1: // another state of this life
		return is&^0xFF | uint64(a.random.IntN(9))
	case 2: // one of the next life
		return (is>>8+1)<<8 | uint64(a.random.IntN(7))
	case 3: // around the capacity
		return uint64(geometry.RequestBytes - 16 + a.random.IntN(32))
	case 4:
		return uint64(a.random.IntN(256))
	case 5:
		return [...]uint64{0, 1, 1<<64 - 1, 1 << 63, 1<<63 - 1, 1 << 32, 1<<32 - 1}[a.random.IntN(7)]
	case 6: // heads of operations
		return uint64(1+a.random.IntN(4)) | uint64(a.random.IntN(80))<<32
	}
	return a.random.Uint64()
}

// send sends a request, good or mutated, and looks for its answer for a moment. Whatever it finds is its own
// fault.
func (a *attacker) send() {
	h, ok, err := a.client.Claim()
	if !ok || err != nil {
		a.ring() // no slot looks free: the service resets those that cannot be
		return
	}
	var b []byte
	for range 1 + a.random.IntN(4) {
		key := fmt.Appendf(nil, "hostile %d", a.random.IntN(64))
		b = append(b, request(uint32(1+a.random.IntN(3)), key, a.random.IntN(64))...)
	}
	for range a.random.IntN(3) {
		b[a.random.IntN(len(b))] ^= 1 << a.random.IntN(8)
	}
	a.Sent++
	if a.client.Send(&h, b[:min(len(b), a.client.RequestMax())]) != nil {
		return
	}
	for range a.random.IntN(200) {
		runtime.Gosched()
		if o, _, err := a.client.Poll(&h, nil); o == slots.Answered && err == nil {
			a.Answered++
			return
		} else if o != slots.Pending {
			return
		}
	}
	_, _, _ = a.client.GiveUp(&h, nil)
}

// request is one operation (impl/remote/codec.go).
func request(kind uint32, key []byte, value int) []byte {
	if kind != 2 {
		value = 0
	}
	b := make([]byte, 24+(len(key)+value+7)/8*8)
	binary.NativeEndian.PutUint32(b, kind)
	binary.NativeEndian.PutUint32(b[4:], uint32(len(key)))
	binary.NativeEndian.PutUint32(b[8:], uint32(value))
	copy(b[24:], key)
	return b
}

// last makes the hostile file anew and wants an answer there.
func (x *run) last() error {
	a, err := x.newAttacker()
	if err != nil {
		return err
	}
	h, ok, err := a.client.Claim()
	if ok && err == nil {
		err = a.client.Send(&h, request(1, []byte("none"), 0))
	}
	end := time.Now().Add(x.o.most)
	for o := slots.Pending; ok && err == nil && o == slots.Pending && !x.failed(); {
		if err = a.client.Sleep(&h, x.o.most); err == nil {
			o, _, err = a.client.Poll(&h, nil)
		}
		if o == slots.Pending && time.Now().After(end) {
			err = errors.New("no answer")
		}
	}
	if !ok || err != nil {
		x.fault("a new file of the hostile client: claimed %v, %v", ok, err)
	}
	return a.end()
}
