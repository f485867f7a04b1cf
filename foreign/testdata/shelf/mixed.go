package shelf

import "reflect"

// Mixed lists what was added in the order of package reflect, which is not explored.
func (b *Bag) Mixed() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []int
	for _, k := range reflect.ValueOf(b.m).MapKeys() {
		all = append(all, int(k.Int()))
	}
	return all
}
