// Package remote lets a process use a cache whose file it may not map. The process maps a slot file instead,
// which no other client uses, and writes its requests there (package slots). A service process, which maps
// the cache and the slot files, performs the requests and writes the answers.
//
//	s, err := remote.Create("/run/app/alice.slots", remote.Options{})	// the service
//	err = s.Serve(ctx, theCache)
//
//	c, err := remote.Dial("/run/app/alice.slots", remote.DialOptions{})	// the client
//	value, ok, err := c.Get(ctx, key, nil)
//
// # What is promised
//
// A call that returns no error was performed exactly once. A call that returns ErrTimeout, ErrNoService,
// ErrNoSlot, ErrRequest, ErrTooLarge, ErrBusy, ErrSuspect or ErrDenied was not performed, and never will be.
// (A get with ErrTooLarge has found a value that does not fit into the answer.) A call that returns
// ErrUnknown may have taken effect, may do so later, or may never do so, but takes effect at most once. The
// operations of a batch take effect one by one, in their order. Others may see some of them before the rest.
//
// If the system does not say whether a service lives, a call returns slots.ErrSystem. Its request was not
// performed, and never will be, unless the error is ErrUnknown, too.
//
// Either side may be killed at any instruction; the other side continues. A call ends when its context does,
// or by its Timeout, whatever the service does. After the death of the service it ends within a few times
// DialOptions.Look.
//
// # What a client can reach
//
// A client can reach neither the memory of the service nor the slot files of others (package slots). It can
// use a whole processor by endless requests. In the cache it can do what any program can: it can fill the
// cache, and it can read, replace and delete each entry whose key it knows.
//
// The live parameter quota.client, if it is set, limits how often it does so. Gets, sets and deletes count
// alike, and a request that is refused as a whole counts as one operation. A get also counts for its key, as
// cache.Ask does. After a client has called too often, the service does not look at its slots for a while:
// for the time that it has told the client to wait, up to 16 ms; or, if that is longer, for ten times as long
// as the refusal took, up to a second.
//
// The permissions of the file system make the border. The client must run as another user than the owner of
// the cache's file, or in a sandbox in which that file is missing. slots.Options.Group shares a slot file
// with another user.
//
// Clients in other languages are in clients/c and clients/python.
package remote
