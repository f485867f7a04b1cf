package basket

// Tuning has the numbers by which a writer decides when to make room, and of which basket. A field that is
// zero stands for its default. What is out of its bounds counts as the bound next to it.
type Tuning struct {
	// Living is a percentage of all records, 1..100; the default is 90. While less than that lives, a basket
	// is compacted, which means that all that lives in it is moved. Otherwise the oldest basket retires, and
	// entries leave.
	Living uint32
	// Gain is a percentage of a basket, 1..100; the default is 10. A basket is compacted only if more than
	// that is gained by it. With 100 none is.
	Gain uint32
	// Reserve is how many free baskets the writer wants there to be, 1 to one less than all. The default is
	// what WriterOptions.Reserve says.
	Reserve int
	// Share is how many percent of all baskets each tier may have, 1..100; the default is the policy's.
	Share [TiersMax]uint32
	// Ages is how many milliseconds a basket may have been in use to be in each tier; 0 is any. What is older
	// goes down, and leaves if it is in the last tier.
	Ages [TiersMax]uint64
}

// Defaults of Tuning, in percent.
const (
	DefaultLiving = 90
	DefaultGain   = 10
)

// tune asks the program for the numbers that are in force now. It is called ahead of each choice of a basket,
// and the choice is made by one Tuning. A writer that was made without a reserve stays without one.
func (w *Writer) tune() {
	var t Tuning
	if w.tuning != nil {
		t = w.tuning()
	}
	w.share, w.ages = t.Share, t.Ages
	w.living, w.least = percentOf(t.Living, DefaultLiving), percentOf(t.Gain, DefaultGain)
	if w.reserve = w.normal; w.normal > 0 && t.Reserve > 0 {
		w.reserve = min(t.Reserve, int(w.store.layout.Baskets)-1)
	}
}

// percentOf is a percentage as it is in force.
func percentOf(given, normal uint32) uint64 {
	if given == 0 {
		given = normal
	}
	return uint64(min(given, 100))
}
