// Package cache is a cache of byte keys and values for all goroutines of all processes of a host. It lies in
// one file that the processes map, so it costs the garbage collector nothing and survives deploys and
// crashes. Nobody waits for a process that has died or stands still, whatever it was doing.
//
//	c, err := cache.Open("/dev/shm/app.cache", cache.Options{})
//	err = c.Set(key, value)
//	value, ok, err := c.Get(key, buffer)
//
// # Terms
//
//	region  the memory of a cache: a file, or memory of this process (package region)
//	index   the table that says where the record of a key is (package hopscotch)
//	record  key, value and end of an entry; never changed once it is in the index (package basket)
//	basket  a part of the region which one writer fills with records, and which is freed as a whole
//	handle  what a call borrows to work on the index, and a writer's basket with it (pool.go)
//	janitor a goroutine of each process that does chores ahead of time (janitor.go)
//	lease   a word by which one janitor does the chores of all (lease.go)
//	live parameter
//	        a number in the region that any process may change while others work (params.go)
//
// # What is promised
//
// A map. Each call on a key takes effect at one instant between its begin and its end, for all goroutines of
// all processes. So a Set that has returned is seen by every Get that begins later, in any process; a Delete
// that has returned is undone by no older Set; of several SetIfAbsent, Delete or CompareAndSwap that contend
// one wins.
//
// An entry leaves without a call that deletes it only if its time is over, if its room is needed, if the
// index has no place for another key, if more than 8 keys have its hash, if it was not used and is older than
// somebody has tuned that entries may become (the live parameters tier.N.age), or if a process that has
// chosen ActionExpel finds that its key is asked for too often (Ask). Each of these removals has an event
// with the key and the value that went, in the process whose call took it out. A key that was not told is
// there.
//
// While everything that lives has room, nothing leaves for want of it: overwriting a few keys for ever does
// not push others out. Room is nine tenths (the live parameter compact.living) of what is left beside the
// basket that each writer fills. What has expired does not live, once somebody has found it (sweep.go). An
// entry may leave all the same if a writer needs a basket when others have just taken the last free ones,
// which is rare. Else what was not used for longest leaves first, roughly: whole baskets in the order of
// their age, but for entries that were used meanwhile.
//
// # What a death leaves
//
// A process may be killed at any instruction. A call that it was in has taken effect or not, and if not, it
// may still do so later, once: when somebody finishes what it had begun in the index. Nothing else of it is
// seen. A Set that had returned is there. What it owned, such as the basket that it was filling, is taken
// back by others when they need it or by their janitors. Nobody waits for it.
//
// The events of a process that dies are lost as far as its function was not called. What it was taking out of
// the index at that moment is told by a successor with the reason Dead; by nobody if a handle was made when
// all descriptors of the index were taken, and took that one. So a removal is told at most once, but for that
// one reason, where the dead process may have told it, too.
//
// # What is not promised
//
// Persistence: the file is memory. What a host loses when it stops, such as a file on a tmpfs, is gone. The
// file must not be truncated while it is open: an access behind its end ends the process with SIGBUS, in any
// call, Close as well, or in the janitor, and no call reports it. Unlink the file instead. Open and Attach
// refuse one that was truncated before.
//
// Secrecy and safety within the file: whoever can write to it can damage it. It is made for its owner alone
// (mode 0600). Damage of its words is reported as ErrCorrupt by the call that meets it, and leads to no
// fault, no loop without an end, and no bytes from outside of the region. But values have no checksum, and
// damage within a value is not noticed.
//
// Fairness between keys: who knows the secret of the region, which is in the file, or can find it out, can
// choose keys that collide. Keys of one hash share a chain of 8 records, so such keys make one another's
// entries leave, and those of others that have the same hash; a get costs 8 comparisons
// at most. HashXXH3 is no protection against somebody who sees for many chosen keys which of them
// collide. HashSip is. Whoever may set any number of keys can fill the cache, whatever the hash.
// Ask holds a client back that asks too often.
//
// # Handles
//
// A process has a few readers and writers, and a call borrows one for its time. If all are in use, the call
// waits until one is given back, which is soon since no function of a user runs while one is held, but for
// Options.Clock and the methods of a Policy, which must not use the cache, and must not panic. Most calls of
// Get and View borrow none: they read, and ask at the end whether what they have read still holds.
//
// Writers, and the descriptors of the index that each handle has, are limited for all processes of a file.
// Each process can have one of them: a process that has several leaves the last ones to others (unless its
// options ask for so many by name), and a janitor that finds none left gives one up, even the only one if no
// call has used it since its last turn. If more processes change the cache all the time than it has writers,
// they take turns: a process that has had its only writer for 50 ms hands it over at the end of a call if
// another one waits for it, and makes none for 20 ms. A call of a process that has none waits for two seconds
// at most, and then returns ErrBusy: the others are stopped, or have no janitor and make no calls.
package cache
