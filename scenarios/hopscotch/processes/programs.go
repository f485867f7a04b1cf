package processes

import "github.com/samecycle/samecycle/impl/region"

// Programs are those that are explored. Keys 1 to 6 share one home.
func Programs() []Program {
	return []Program{inherit(), threads(), detach(), rivals(), returns(), clearing()}
}

// ProgramByName finds one of them.
func ProgramByName(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// alone is the only thread of a process.
func alone(body func(*Client)) []func(*Client) { return []func(*Client){body} }

// inherit: the newcomer has the owner number of the first process. If that one has died it gets its
// entry of the process table, too, so that only the epoch tells the two apart.
func inherit() Program {
	return Program{Name: "ProcessInherit", Descriptors: 2, Standing: map[int]uint32{1: 10},
		Says: "one dies in the midst of an add or a crop, another one gets its entry and its descriptor",
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) {
				c.Add(2, 20)
				c.Delete(1)
				c.Crop(1)
			})},
			{Name: "second", Stands: true, Number: 2, Bodies: alone(func(c *Client) { c.Add(3, 30) })},
			{Name: "newcomer", Number: 1, Bodies: alone(func(c *Client) {
				c.Arrive()
				c.Add(4, 40)
				c.Leave()
			})},
		}}
}

// threads: a process dies with two operations under way, and a newcomer takes both descriptors.
func threads() Program {
	return Program{Name: "ProcessThreads", Descriptors: 2, Standing: map[int]uint32{1: 10},
		Says: "two threads die at once in their adds, a newcomer takes over from both",
		Cast: []Member{
			{Name: "pair", Stands: true, Number: 1, Bodies: []func(*Client){
				func(c *Client) { c.Add(2, 20) }, func(c *Client) { c.Add(3, 30) }}},
			{Name: "newcomer", Number: 1, Bodies: alone(func(c *Client) {
				c.Arrive()
				c.Reclaim()
				c.Add(4, 40)
			})},
		}}
}

// detach: a process ends its work and goes while another one may be helping what it began.
func detach() Program {
	return Program{Name: "ProcessDetach", Descriptors: 2, Standing: map[int]uint32{1: 10},
		Says: "one adds, closes its handle and detaches while another one helps and a third arrives",
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) {
				c.Add(2, 20)
				c.Leave()
			})},
			{Name: "helper", Stands: true, Number: 2, Bodies: alone(func(c *Client) {
				c.Add(3, 30)
			})},
			{Name: "newcomer", Number: 3, Bodies: alone(func(c *Client) {
				c.Arrive()
				c.Add(4, 40)
			})},
		}}
}

// rivals: two newcomers want the entry and the descriptor of one that has died.
func rivals() Program {
	arrive := alone(func(c *Client) {
		c.Arrive()
		c.Add(3+int(c.number)-1, uint32(30+c.number))
	})
	return Program{Name: "ProcessRivals", Descriptors: 1, Standing: map[int]uint32{1: 10},
		Says: "two newcomers race for the entry and the descriptor of one that has died",
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) {
				c.Add(2, 20)
				c.Delete(1)
				c.Crop(1)
			})},
			{Name: "newcomer", Number: 1, Bodies: arrive},
			{Name: "rival", Number: 2, Bodies: arrive},
		}}
}

// returns: a process goes and comes back, so that its entry and its descriptor are another attachment's and
// another operation's when one wakes that has helped in the first operation, or looked who owns what. Who
// sleeps there has a lock, and is taken for dead by nobody.
func returns() Program {
	return Program{Name: "ProcessReturns", Descriptors: 2, Standing: map[int]uint32{1: 10},
		Says: "one adds, detaches, attaches again and adds, while another one sleeps anywhere in helping it",
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) {
				c.Add(2, 20)
				c.Leave()
				c.Arrive()
				c.Add(4, 40)
			})},
			{Name: "sleeper", Stands: true, Number: 2, Bodies: alone(func(c *Client) {
				c.Delete(1)
			})},
		}}
}

// clearing: two make the entry of one idle that may have died, as a repair does with all of a list. The one
// arrives while the other is at it, and may have got that very entry.
func clearing() Program {
	first := region.MakeProcess(0, 2) // whoever made the region had epoch 1
	return Program{Name: "ProcessClear", Descriptors: 2, Standing: map[int]uint32{1: 10},
		Says: "the entry of one that died is made idle by another, and by a newcomer, who may have it",
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) { c.Add(2, 20) })},
			{Name: "second", Stands: true, Number: 2, Bodies: alone(func(c *Client) { c.Clear(first) })},
			{Name: "newcomer", Number: 1, Bodies: alone(func(c *Client) {
				c.Arrive()
				c.Clear(first)
				c.Add(4, 40)
			})},
		}}
}
