package basket

// Kind is what an operation does.
type Kind uint8

// The operations of a client, and behind them those that make room.
const (
	Get     Kind = iota
	Set          //
	Delete       //
	Mark         // the key is a suspect from here on, with Value 1; or is one no more
	Tune         // the parameters of ageing have Low and High from here on; 0 leaves one as it is
	Retire       // a whole basket, whose live records are evicted
	Portion      // the same for one record
	Compact      // a whole basket, whose live records are moved and keep their tier
	Promote      // the same, and they go to the top tier
	Age          // a sealed basket goes to the tier below
	Tend         // what the parameters say: one of the three before, or baskets go down
	Crowd        // an add of another key to a full index, which takes out what has the hash of Key
)

var kindNames = [...]string{"Get", "Set", "Delete", "Mark", "Tune", "Retire", "Portion", "Compact", "Promote",
	"Age", "Tend", "Crowd"}

// String is the name that the specification has for it.
func (k Kind) String() string { return kindNames[k] }

// Service tells whether the operation makes room, and so asks for no key.
func (k Kind) Service() bool { return k >= Retire }

// An Op is one call of a client. Keys are numbered from 1. Value is that of a set, which is
// not 0, or the mark. Pair is what a Tune changes the parameters to.
type Op struct {
	Kind       Kind
	Key, Value uint8
	Pair       Pair
}
