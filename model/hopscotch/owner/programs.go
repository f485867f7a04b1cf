package owner

// Programs are the machines of the complete runs: the runs Owner_<name> of the manifest.
func Programs() []Config { return append([]Config(nil), programs...) }

// ProgramByName finds one of them.
func ProgramByName(name string) (Config, bool) {
	for _, c := range programs {
		if c.Name == name {
			return c, true
		}
	}
	return Config{}, false
}

// Live is the program of which the runs that never end are looked at.
const Live = "Owner_Live"

var programs = []Config{
	{Name: "Owner_Race", Actors: 3, Entries: 3, Descriptors: 2, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{2, 3}, Closers: []int{3}, Mortal: []int{1}, MaxLives: 1, MaxDeaths: 1,
		MaxOps: 1, MaxCall: 1, MaxGiveUps: 1},
	{Name: "Owner_Two", Actors: 3, Entries: 3, Descriptors: 2, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{2, 3}, Mortal: []int{1, 2}, MaxLives: 1, MaxDeaths: 2, MaxOps: 1, MaxCall: 1},
	{Name: "Owner_Again", Actors: 2, Entries: 2, Descriptors: 3, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{2}, Closers: []int{1}, Mortal: []int{1}, MaxLives: 2, MaxDeaths: 2, MaxOps: 1,
		MaxCall: 1},
	{Name: "Owner_Call", Actors: 2, Entries: 2, Descriptors: 2, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{2}, Closers: []int{1}, Mortal: []int{1}, MaxLives: 2, MaxDeaths: 1, MaxOps: 2,
		MaxCall: 2},
	{Name: "Owner_Take", Actors: 3, Entries: 3, Descriptors: 2, Seated: []int{1}, Callers: []int{3},
		Reclaimers: []int{1}, Closers: []int{2}, Mortal: []int{2}, MaxLives: 1, MaxDeaths: 1, MaxOps: 1,
		MaxCall: 1},
	{Name: "Owner_Within", Actors: 2, Entries: 2, Descriptors: 2, Seated: []int{1, 2},
		Callers: []int{1, 2}, Reclaimers: []int{2}, Mortal: []int{1}, MaxLives: 1, MaxDeaths: 1, MaxOps: 1,
		MaxCall: 1},
	{Name: Live, Actors: 2, Entries: 2, Descriptors: 3, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{2}, Mortal: []int{1}, MaxLives: 3, MaxDeaths: 2, MaxOps: 1, MaxCall: 1},
	{Name: "Owner_Clear", Actors: 3, Entries: 2, Descriptors: 2, Seated: []int{1, 2}, Callers: []int{1},
		Reclaimers: []int{3}, Closers: []int{3}, Clearers: []int{2, 3}, Mortal: []int{1, 2}, MaxLives: 1,
		MaxDeaths: 2, MaxOps: 1, MaxCall: 1},
}
