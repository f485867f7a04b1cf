package shardmap

// Kind is what an operation does.
type Kind uint8

// The operations of a client.
const (
	Get          Kind = iota
	GetFunc           // get with a callback, which accepts what is fresh and says Verdict of what is stale
	Put               //
	Refill            // a put, if the actor's last answer was that a key is absent: a cache miss
	Invalidate        //
	InvalidateIf      // if the entry is stale
	Cleanup           // of the next shard of the rotation; waits for a cleanup in progress
	TryCleanup        // the same; gives up instead of waiting
	FullCleanup       // of all shards
	Size              //
	Clear             //
)

var kindNames = [...]string{"Get", "GetFunc", "Put", "Refill", "Invalidate", "InvalidateIf", "Cleanup",
	"TryCleanup", "FullCleanup", "Size", "Clear"}

func (k Kind) String() string { return kindNames[k] }

// Cleans reports whether the operation takes the cleanup flag.
func (k Kind) Cleans() bool { return k == Cleanup || k == TryCleanup || k == FullCleanup }

// round reports whether the operation goes through all shards.
func (k Kind) round() bool { return k == FullCleanup || k == Size || k == Clear }

// Form is what a predicate is asked about.
type Form uint8

// The three forms of a predicate.
const (
	OfMeta  Form = iota // key, metadata, context: stale if the metadata is below Context
	OfValue             // the value, too: and if the value is below Limit
	OfShard             // the shard, too: and if Limit is the number of the shard
	Throws              // it panics, and the client recovers
)

// Verdict is what the callback of a get says of a stale entry.
type Verdict uint8

// The verdicts of a callback.
const (
	Accept  Verdict = iota // return the value
	Reject                 // return that the key is absent, keep the entry
	Discard                // return that the key is absent, erase the entry
)

// An Op is one call of a client. Keys and shards are numbered from 1. Metadata is a number that grows with
// freshness, say the time of the put.
type Op struct {
	Kind           Kind
	Key            uint8
	Value, Meta    uint8 // of a put
	Form           Form
	Context, Limit uint8 // of a predicate; an entry is stale only if its metadata is below Context
	Verdict        Verdict
	Calls          *Op // what the callback or the predicate calls, once, if it is asked about any entry
}

// puts reports whether the operation stores an entry.
func (o *Op) puts() bool { return o.Kind == Put || o.Kind == Refill }
