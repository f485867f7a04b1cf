package cachestorm

import "fmt"

// Report is what a storm has done and found.
type Report struct {
	Seed    uint64 `json:"seed"`
	Rounds  int    `json:"rounds"`
	Calm    int    `json:"rounds_without_deaths"`
	Caches  int    `json:"caches"`
	Kills   int    `json:"kills"`
	InCalls int    `json:"kills_within_changes"` // in which a thread was within a call that changes something
	Stops   int    `json:"stops"`

	Calls   uint64            `json:"calls"`
	Changes uint64            `json:"changes"` // calls that change something
	Values  uint64            `json:"values"`  // number of values that were there
	Told    map[string]uint64 `json:"told"`    // by reason
	Busy    uint64            `json:"calls_without_room"`

	Doubt     uint64 `json:"values_in_doubt"`           // missing without a reason, perhaps by a death
	DoubtMost uint64 `json:"values_that_deaths_excuse"` // upper bound, over all rounds
	DoubtPeak int    `json:"values_in_doubt_a_round_max"`
	Twice     uint64 `json:"told_twice_of_the_dead"`

	Asks          uint64 `json:"asks"`
	Suspects      uint64 `json:"asks_of_suspects"`
	DeniedKeys    uint64 `json:"asks_of_denied_keys"`
	DeniedClients uint64 `json:"asks_of_denied_clients"`
	Calmed        uint64 `json:"asks_at_rest"`     // all of them were answered
	Tallied       int    `json:"rounds_of_counts"` // rounds in which all counts were equal to the journals
	Tunes         uint64 `json:"tunes"`            // changes of live parameters
	Reads         uint64 `json:"readings_of_parameters"`
	Stored        uint64 `json:"overflowed"` // entries that stores were given
	NotMade       uint64 `json:"calls_by_slots_not_made"`
	Unknown       uint64 `json:"calls_by_slots_unknown"`
	BySlots       uint64 `json:"calls_by_slots"`
	Serving       int    `json:"kills_within_served_changes"`
	Tuning        int    `json:"kills_within_tunes"`

	Checks    int    `json:"checks"`
	Drift     uint64 `json:"hints_off_bytes_max"`      // after a round
	Stale     uint64 `json:"hints_off_bytes_last_max"` // at the end of a cache, in baskets not used again
	Held      int    `json:"baskets_of_the_dead_max"`
	Longest   int64  `json:"longest_call_ns"` // on the wall
	Slow      uint64 `json:"calls_over_10ms"` // by the same clock
	Own       int64  `json:"longest_wait_ns"` // without the time of the scheduler
	Excused   uint64 `json:"slow_calls_of_stopped_processes"`
	Stolen    int64  `json:"stolen_ns"`
	Scheduler bool   `json:"scheduler_known"`

	Faults []string `json:"faults"`
	Ended  string   `json:"ended"`
}

// faultsMost bounds the list, because the first few entries show the fault.
const faultsMost = 20

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) < faultsMost {
		r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	}
}
