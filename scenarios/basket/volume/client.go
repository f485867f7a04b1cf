package volume

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// The words of an operation:
//
//	request  kind<<32 | key; value of a set; 1 of a mark, 0 of one that is taken away
//	         kindTune<<32 | halves; what they are to be
//	result   outcome | tries<<8 | flags<<16; value that a get has found, that a change has taken out, or to
//	         which a mark went, 0 for none; of a Tend the parameters by which it went
//	note     flags<<40 | reason<<32 | key; value: a record that the call has told
const (
	wordKind  = 32
	noteFlags = 40
	tryBits   = 8
	triesMost = 255
)

// Flags of a result.
const (
	resultSuspect   = 1 << 16 // a get has found the mark of a suspect
	resultOvertaken = 1 << 17 // a mark has found a value, and somebody has changed it since
)

// outcome of an operation.
const (
	gaveUp uint64 = iota // nothing has happened to the key
	done
)

// noteStays says that a record was evicted, and others of its chain have stayed.
const noteStays = 1

func request(k kind, key uint32, value uint64) stress.Words {
	return stress.Words{uint64(k)<<wordKind | uint64(key), value}
}

func kindOf(w stress.Words) kind            { return kind(w[0] >> wordKind) }
func keyOf(w stress.Words) uint32           { return uint32(w[0]) }
func reasonOf(n stress.Words) basket.Reason { return basket.Reason(n[0] >> wordKind) }
func triesOf(res stress.Words) uint64       { return res[0] >> tryBits & triesMost }

// serialBits is how many values a client may write in a run: each value tells who wrote it.
const serialBits = 32

// noteStop is how many notes end the tries of one call: what one more try tells has room beside them.
const noteStop = 12

// client is one actor of a run: a goroutine, or a process.
type client struct {
	recipe
	subject *subject
	number  int // of the state
	store   *basket.Store
	index   basket.Index
	watch   *watch // nil: none
	heads   *heads
	alone   bool // in a process of its own
	writer  *basket.Writer
	params  params
	owner   uint32
	serial  uint64
	buffer  []byte

	notes []stress.Words
	other []stress.Words // those of the call before, which are in use
	err   error
	taken uint64 // value that the call's own change has told
	now   uint32 // key of the call
	moved bool   // the record of the key lay elsewhere at the second try

	last       uint32 // the last free basket, ahead of the call
	generation uint32 // of it
	opened     basket.Head
	oldest     uint32      // the oldest basket that can age, ahead of the call
	young      basket.Head // of it
}

// newClient attaches a client to the region. Alone is one in a process of its own.
func newClient(s *subject, state int, r *region.Region, owner uint32, alone bool) (*client, error) {
	c := &client{recipe: recipes[state], subject: s, number: state, owner: owner, alone: alone,
		buffer: []byte{}}
	var err error
	if c.heads, err = newHeads(r); err != nil {
		return nil, err
	}
	if c.params, err = c.paramsOf(r); err != nil {
		return nil, err
	}
	if c.store, err = basket.New(r); err != nil {
		return nil, err
	}
	t, err := hopscotch.NewWith(r, hopscotch.Options{Older: c.store.Older})
	if err != nil {
		return nil, err
	}
	h, err := t.NewHandle(uint64(owner))
	if err != nil {
		return nil, err
	}
	if c.index = basket.OnTable(h); owner%2 == 0 {
		c.watch = &watch{Index: c.index, heads: c.heads, alone: alone, state: state,
			random: rand.New(rand.NewPCG(uint64(owner), 3))}
		c.index = c.watch
	}
	return c, c.open()
}

// open makes the writer.
func (c *client) open() (err error) {
	o := basket.WriterOptions{Tell: c.tell, Number: c.owner, NoTouch: !c.touch, Portion: c.portion,
		Reserve: c.reserve}
	if c.tunes {
		o.Tuning = c.tuning
	}
	c.writer, err = c.store.NewWriter(c.index, o)
	return err
}

// tell notes a record that has left.
func (c *client) tell(l basket.Leaving) {
	number, err := c.recipe.number(l.Value)
	key := uint32(0)
	for i, b := range l.Key {
		key = key<<8 | uint32(b)
		if len(l.Key) != 8 || i < 4 && b != 0 {
			err = errors.Join(err, fmt.Errorf("whole: a key that nobody sets was told: %x", l.Key))
		}
	}
	if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("told %v: %w", l.Reason, err))
		return
	}
	flags := uint64(0)
	if c.watch != nil && l.Reason == basket.ReasonEvicted && c.watch.ref != 0 &&
		c.watch.hash == c.hash(key) {
		flags = noteStays
	}
	if l.Reason == basket.ReasonReplaced || l.Reason == basket.ReasonDeleted {
		c.taken = number
	}
	c.notes = append(c.notes, stress.Words{flags<<noteFlags | uint64(l.Reason)<<wordKind | uint64(key),
		number})
}

func (*client) Begin(uint64) {}

// Next draws an operation.
func (c *client) Next(rng *rand.Rand) stress.Words {
	k := c.mix.draw(rng)
	key := rng.Uint32N(c.keys)
	switch k {
	case kindSet:
	case kindMark:
		return request(k, key, uint64(rng.Uint32N(2)))
	case kindTune:
		c.serial++
		return request(k, rng.Uint32N(changes), uint64(c.owner)<<ownerShift|c.serial&(1<<ownerShift-1))
	default:
		return request(k, key, 0)
	}
	c.serial++
	return request(k, key, uint64(c.owner)<<serialBits|c.serial)
}

// Before looks at the heads within the interval of the operation, as After does.
func (c *client) Before(stress.Words) {
	if c.watch != nil {
		c.watch.reused = false
	}
	c.moved = false
	if c.number == 6 {
		c.oldest, c.young = c.heads.ages()
		if c.oldest != none && !c.alone {
			runtime.Gosched() // so that others see it, too
		}
	}
	if c.number == 12 {
		var head basket.Head
		c.last, head = c.heads.lastFree()
		c.generation = head.Generation()
		_, c.opened = c.heads.owned(c.heads.entry(c.owner), basket.StateOpen)
		if c.last != none && !c.alone {
			runtime.Gosched() // so that others see it, too
		}
	}
}

// Call makes the operation.
func (c *client) Call(req stress.Words) (res stress.Words, notes []stress.Words, err error) {
	c.now, c.taken = keyOf(req), 0 // notes may be there from attaching
	switch kindOf(req) {
	case kindGet:
		res, err = c.get()
	case kindSet, kindRemove:
		res, err = c.change(req)
	case kindTend:
		res, err = c.tend()
	case kindTune:
		c.params.change(c.now, req[1])
		res[0] = done
	case kindAge:
		_, err = c.writer.Age()
	case kindMark:
		res, err = c.mark(req[1] == 1)
	case kindReopen:
		if err = c.writer.Close(); err == nil {
			err = c.open()
		}
	}
	if errors.Is(err, basket.ErrNoRoom) {
		err = nil // nothing has happened to the key
	}
	if c.watch != nil {
		err = errors.Join(err, c.watch.fault)
	}
	if err = errors.Join(err, c.err); err != nil {
		return res, nil, fmt.Errorf("%v of key %d: %w", kindOf(req), c.now, err)
	}
	if len(c.notes) > stress.NotesMost {
		return res, nil, fmt.Errorf("%v of key %d: told %d records, at most %d are noted", kindOf(req), c.now,
			len(c.notes), stress.NotesMost)
	}
	notes = c.notes
	c.notes, c.other = c.other[:0], notes
	if c.subject.lie != nil {
		c.subject.lie(req, &res, &notes)
	}
	return res, notes, nil
}

// get is a get.
func (c *client) get() (res stress.Words, err error) {
	value, m, ok, err := c.writer.Get(c.hash(c.now), keyBytes(c.now), c.buffer[:0])
	if err != nil || !ok {
		return stress.Words{done}, err
	}
	c.buffer = value
	n, err := c.recipe.number(value)
	if m.Suspect {
		return stress.Words{done | resultSuspect, n}, err
	}
	return stress.Words{done, n}, err
}

// mark marks what it finds, in one try.
func (c *client) mark(suspect bool) (res stress.Words, err error) {
	f, value, err := c.writer.Find(c.hash(c.now), keyBytes(c.now), c.buffer[:0])
	if err != nil || !f.OK() {
		return stress.Words{done}, err
	}
	c.buffer = value
	n, err := c.recipe.number(value)
	if err != nil {
		return res, err
	}
	ok, err := c.writer.Mark(f, suspect)
	switch {
	case err != nil:
		return stress.Words{}, err
	case !ok:
		return stress.Words{done | resultOvertaken}, nil
	}
	return stress.Words{done, n}, nil
}

// change sets or removes the key, in as many tries as it takes, or gives up.
func (c *client) change(req stress.Words) (res stress.Words, err error) {
	key, value := keyBytes(c.now), c.recipe.value(nil, req[1])
	var before []byte
	at, tier := uint32(0), uint32(0)
	for tries := uint64(1); len(c.notes) < noteStop; tries++ {
		f, old, err := c.writer.Find(c.hash(c.now), key, c.buffer[:0])
		if err != nil {
			return res, err
		}
		c.buffer = old
		if c.watch != nil && f.OK() {
			ref := c.watch.ticket.Value()
			up := c.number == 3 || tier > 0 && c.watch.head.Tier() == 0
			c.moved = c.moved || at != 0 && ref != at && up && string(old) == string(before)
			at, tier, before = ref, c.watch.head.Tier(), append(before[:0], old...)
		}
		var ok bool
		if kindOf(req) == kindSet {
			ok, err = c.writer.Replace(f, value, basket.RecordOptions{})
		} else {
			ok, err = c.writer.Remove(f, basket.ReasonDeleted)
		}
		if err != nil || ok {
			if err != nil {
				return stress.Words{}, err
			}
			return stress.Words{done | min(tries, triesMost)<<tryBits, c.taken}, nil
		}
	}
	return stress.Words{}, nil
}

// Bits of what After keeps.
const (
	seenRace   = 1 << iota // a watch has seen the race
	seenLast               // there was one free basket
	seenOpened             // the call has opened a basket
	seenOldest             // there was a basket that could age
	seenTaken              // the call has claimed it
	lastAt     = 8
	openedAt   = 24
	lifeAt     = 40

	sequenceBits = 1<<24 - 1
)

// After looks again.
func (c *client) After(stress.Words, stress.Words, []stress.Words) (s stress.Seen) {
	raced := c.number == 1 && c.watch != nil && c.watch.reused || c.number == 20 && c.params.raced
	if raced || c.watch != nil && c.moved {
		s.Extra |= seenRace
	}
	if c.number == 6 && c.oldest != none {
		s.Extra |= seenOldest | uint64(c.oldest)<<lastAt | (c.young.Sequence()&sequenceBits)<<lifeAt
		b, head := c.heads.owned(c.heads.entry(c.owner), basket.StateRetiring)
		if b == c.oldest && head.Sequence() == c.young.Sequence() {
			s.Extra |= seenTaken
		}
	}
	if c.number != 12 {
		return s
	}
	b, head := c.heads.owned(c.heads.entry(c.owner), basket.StateOpen)
	if b != none && head.Sequence() != c.opened.Sequence() {
		s.Extra |= seenOpened | uint64(b)<<openedAt
	}
	if c.last != none {
		s.Extra |= seenLast | uint64(c.last)<<lastAt | uint64(c.generation)<<lifeAt
	}
	return s
}
