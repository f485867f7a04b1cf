package basket

// Tuning has the numbers by which a writer decides when to make room, and from which basket. A field that is
// zero stands for its default. A number out of its bounds counts as the nearest bound.
type Tuning struct {
	// Living is a percentage of all units, 1..100; the default is 90. While less than that is live, a basket
	// is compacted: all its live records are moved. Otherwise the oldest basket retires, and entries leave.
	Living uint32
	// Gain is a percentage of a basket, 1..100; the default is 10. A basket is compacted only if that gains
	// more than this. With 100, none is compacted.
	Gain uint32
	// Reserve is how many free baskets the writer keeps, 1 to one less than all. The default is what
	// WriterOptions.Reserve says.
	Reserve int
	// Share is how many percent of all baskets each tier may have, 1..100; the default is the policy's.
	Share [TiersMax]uint32
	// Ages is the age in milliseconds up to which a basket may be in each tier; 0 is no limit. An older
	// basket goes down; from the last tier its records leave.
	Ages [TiersMax]uint64
}

// Defaults of Tuning, in percent.
const (
	DefaultLiving = 90
	DefaultGain   = 10
)

// tune asks the program for the present numbers. It is called before each choice of a basket, and each
// choice uses one Tuning. A writer that was made without a reserve stays without one.
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

// percentOf returns a percentage within its bounds, or its default.
func percentOf(given, normal uint32) uint64 {
	if given == 0 {
		given = normal
	}
	return uint64(min(given, 100))
}
