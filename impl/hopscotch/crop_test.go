package hopscotch

import "testing"

// TestServices_FinishWhatHasTheHome: the home of a key is a member of another bucket, and the operation on
// that one has it. A visit to the bucket of the key finishes it, though its base is in another cell.
func TestServices_FinishWhatHasTheHome(t *testing.T) {
	for name, visit := range map[string]func(h *Handle, key uint32) error{
		"crop":    (*Handle).Crop,
		"restore": (*Handle).Restore,
	} {
		p := newPlanted(t)
		p.aboutMember(KindDrop)
		p.put(0, 3, EngagedWord(p.key(0, 2, 1), p.ref()), MakeWord1(21, 1))
		h, err := p.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		if err := visit(h, uint32(p.key(0, 3, 0))); err != nil {
			t.Fatal(err)
		}
		if w := p.word0(0, 3); w != EmptyWord(2) {
			t.Errorf("%s: the home is %v, want it to be empty", name, w)
		}
		if w := p.word0(0, 2); w != BaseWord(p.key(0, 2, 0), 0) {
			t.Errorf("%s: the base that had the member is %v", name, w)
		}
		clean(t, p.Table)
	}
}
