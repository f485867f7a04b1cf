// Package cache is a cache of byte keys and values for all goroutines of all processes of a host. The cache
// is one file that the processes map. So it adds no work for the garbage collector, and it survives deploys
// and crashes. No process waits for a process that has died or is stopped, whatever that process was doing.
//
//	c, err := cache.Open("/dev/shm/app.cache", cache.Options{})
//	err = c.Set(key, value)
//	value, ok, err := c.Get(key, buffer)
//
// # Terms
//
//	region  the memory of a cache: a file, or memory of this process (package region)
//	index   the table that says where the record of a key is (package hopscotch)
//	record  key, value and expiry time of an entry; never changed once it is in the index (package basket)
//	basket  a part of the region that one writer fills with records, and that is freed as a whole
//	handle  the object that a call borrows to work on the index; a writer's handle has a basket (pool.go)
//	janitor a goroutine of each process that does chores ahead of time (janitor.go)
//	lease   a word that allows one janitor to do the chores of all processes (lease.go)
//	live parameter
//	        a number in the region that any process may change while others work (params.go)
//
// # What is promised
//
// The cache is a linearizable map. Each call on a key takes effect at one instant between its beginning and
// its end, for all goroutines of all processes. So every Get that begins after a Set has returned sees that
// Set, in any process. No older Set undoes a Delete that has returned. If several calls of SetIfAbsent,
// Delete or CompareAndSwap contend, one of them wins.
//
// An entry leaves without a call that deletes it only for one of these reasons:
//
//   - its time to live is over;
//   - its room is needed for other entries;
//   - the index has no place for another key;
//   - more than 8 keys have its hash;
//   - it was not used, and is older than the live parameters tier.N.age allow;
//   - a process that has chosen ActionExpel finds that its key is asked for too often (Ask).
//
// Each of these removals has an event with the removed key and value, in the process whose call removed the
// entry. If no removal of a key was reported, the key is still there.
//
// While all live entries have room, no entry leaves for want of room: overwriting a few keys for ever does
// not push others out. The room is nine tenths (the live parameter compact.living) of the baskets that are
// left when each writer that works at the same moment has two: the one that it fills and the one that it
// empties. With TinyLFU a writer has three, because it fills one for each tier, and the room is 85 percent of
// the others. A record is never divided
// between two baskets, so what is left behind the last record of a basket is lost: next to nothing if a
// basket has room for ten records or more, a third of the room if it has room for two, and nearly half of the
// room if records have little more than half of a basket. Options.Entries or BasketBytes make baskets larger.
// An expired entry does not count as live once it has been found (sweep.go). There is one rare exception: an
// entry may leave although there is room if a writer needs a basket when other writers have just taken the
// last free ones. If there is not enough room, the least recently used entries leave first, approximately:
// whole baskets leave in the order of their age, except for entries that were used in the meantime.
//
// # What a death leaves
//
// A process may be killed at any instruction. The call that it was in has then taken effect or not. If not,
// it may still take effect later, once, when another process finishes what the call had begun in the index.
// Nothing else of the call can be seen. A Set that had returned stays in effect. Resources that the process
// owned, such as the basket that it was filling, are taken back by other processes when they need them, or by
// their janitors. No process waits for the dead one.
//
// If a process dies, the events for which its function was not yet called are lost. There is one exception:
// the entry that the process was taking out of the index at that moment. A successor reports it with the
// reason Dead. No process reports it if a handle was made when all descriptors of the index were in use, and
// took the descriptor of the dead process. So each removal is reported at most once, except for reason Dead:
// the dead process may have reported that removal, too.
//
// # What is not promised
//
// Persistence: the file is memory. If it is on a tmpfs, for instance, it is gone when the host stops. The
// file must not be truncated while it is open: an access behind its end ends the process with SIGBUS, in any
// call (Close as well) or in the janitor, and no call reports it. Unlink the file instead. Open and Attach
// refuse a file that was truncated before.
//
// Secrecy and safety within the file: whoever can write to the file can damage it. It is made for its owner
// alone (mode 0600). Damage of its words is reported as ErrCorrupt by the call that meets it. Damage leads to
// no fault, no endless loop, and no bytes from outside of the region. Values have no checksum, so damage
// within a value is not noticed.
//
// Fairness between keys: the secret of the region is in the file. Somebody who knows it, or can find it out,
// can choose keys that collide. Keys of one hash share a chain of 8 records, so such keys make one another's
// entries leave, and those of other keys that have the same hash. A get costs at most 8 comparisons. HashXXH3
// does not protect against somebody who sees for many chosen keys which of them collide; HashSip does.
// Whoever may set any number of keys can fill the cache, whatever the hash. Ask holds back a client that asks
// too often.
//
// # Handles
//
// A process has a few readers and writers, and each call borrows one while it runs. If all are in use, the
// call waits until one is given back. This does not take long, because no function of the user runs while a
// handle is held, except Options.Clock and the methods of a Policy. These must not use the cache, and must
// not panic. Most calls of Get and View borrow no handle: they read, and check at the end that what they have
// read is still valid.
//
// Writers, and the descriptors of the index that each handle has, are limited for all processes of a file
// together. Each process can get a writer: a process that has several leaves the last ones to other
// processes, unless its options ask for a number of writers. A janitor that finds no free writer gives one
// up. It gives up even the only one of its process if no call has used that writer since the janitor's last
// turn. If more processes change the cache all the time than there are writers, they take turns. A process
// that has had its only writer for 50 ms hands it over at the end of a call if another process waits for one,
// and makes no new one for 20 ms. A call of a process without a writer waits for at most two seconds, and
// then returns ErrBusy: the other processes are stopped, or they have no janitor and make no calls.
package cache
