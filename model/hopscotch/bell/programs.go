package bell

// Programs are the machines of the complete runs: the runs Bell_<name> of the manifest.
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

// Bound is the program whose sleeps end by their bounds, too, in each run that is fair.
const Bound = "Bell_Bound"

var programs = []Config{
	{Name: "Bell_Ringers", Services: []int{1}, Ringers: []int{2, 3}, Places: 1, MaxWork: 1,
		Circle: 8, Mortal: []int{2}, MaxDeaths: 1},
	{Name: "Bell_Midst", Services: []int{1}, Ringers: []int{2}, Places: 2, MaxWork: 2,
		Circle: 8},
	{Name: "Bell_Turn", Services: []int{1, 2}, Ringers: []int{3}, Places: 1, MaxWork: 2,
		Circle: 3, Mortal: []int{2}, MaxDeaths: 1},
	{Name: "Bell_Stop", Services: []int{1}, Ringers: []int{2, 3}, Stoppers: []int{2}, Stopped: 1,
		Places: 1, MaxWork: 1, Circle: 8},
	{Name: Bound, Services: []int{1}, Ringers: []int{2}, Places: 2, MaxWork: 2,
		Circle: 8, Mortal: []int{2}, MaxDeaths: 1},
}
