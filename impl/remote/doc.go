// Package remote lets a process use a cache whose file it may not map. It maps a slot file instead, which
// belongs to it alone, and writes its requests there (package slots). A service process, which maps the cache
// and the slot files, performs the requests and writes the answers.
//
//	s, err := remote.Create("/run/app/alice.slots", remote.Options{})	// the service
//	err = s.Serve(ctx, theCache)
//
//	c, err := remote.Dial("/run/app/alice.slots", remote.DialOptions{})	// the client
//	value, ok, err := c.Get(ctx, key, nil)
//
// # What is promised
//
// A call that returns no error was performed, once. One that returns ErrTimeout, ErrNoService, ErrNoSlot,
// ErrRequest, ErrTooLarge, ErrBusy, ErrSuspect or ErrDenied was not, and never will be. One that returns
// ErrUnknown may have taken effect, may do so later, or never, once at most. The operations of a batch take
// effect one by one, in their order; others may see some of them before the rest.
//
// Either side may be killed at any instruction; the other one goes on. A call ends when its context does, or
// by its Timeout, whatever the service does; and some DialOptions.Look after the death of the service.
//
// # What a client can reach
//
// Nothing of the memory of the service, and nothing of the slot files of others (package slots). It can use
// one processor, by requests without end. In the cache it can do what any program can: fill it, and read,
// replace and delete each entry whose key it knows. It does so no more often than the live parameter
// quota.client says, if that is set: gets, sets and deletes count alike, and a request that is refused as a
// whole counts as one of them. A get counts for its key, too, as cache.Ask does. From a client that calls
// more often the service looks away: for as long as it has told it to wait, up to 16 ms, or for ten times as
// long as it took to refuse what was sent, if that is longer, up to a second.
//
// The border is that of the file system: the client needs another user than the one that the cache's file
// belongs to, or a sandbox in which that file is missing. slots.Options.Group shares a slot file with another
// user.
//
// Clients in other languages are in clients/c and clients/python.
package remote
