//go:build explore

package scenarios

import (
	"slices"

	model "github.com/samecycle/samecycle/model/hopscotch"
)

// wayKey is the key that is got, updated or given a ticket. The keys up to wayKin are of the same two
// buckets: with the home in wayRow of half 0, and in the next row of half 1. They are no numbers of halves.
const (
	wayKey = 2
	wayKin = 8
	wayRow = 2
)

// The geometry of the shapes is that of the wide programs.
const (
	wayRows    = 6
	wayOffsets = 4
)

// wayHomes are the homes of the keys. Those after wayKin have theirs two by two in the rows that follow:
// the first two in the second cell of the window of half 0, the next ones in the third one, which is the
// second one of half 1.
func wayHomes() *[model.Halves][model.MaxKeys + 1]uint8 {
	var homes [model.Halves][model.MaxKeys + 1]uint8
	for k := 1; k <= model.MaxKeys; k++ {
		further := max(0, k-wayKin+1) / 2
		homes[0][k] = uint8((wayRow + further) % wayRows)
		homes[1][k] = uint8((wayRow + max(1, further)) % wayRows)
	}
	return &homes
}

// shape is where the keys stand: those of the bucket in each half, by offset, and others.
type shape struct {
	name    string
	buckets [model.Halves][wayOffsets]uint8
	others  []model.Standing
}

// bucket is the keys at the offsets of a window; 0 is none.
func bucket(keys ...uint8) (b [wayOffsets]uint8) {
	copy(b[:], keys)
	return b
}

// shapeOf is a shape by the buckets of both halves.
func shapeOf(name string, zero, one [wayOffsets]uint8, others ...model.Standing) shape {
	return shape{name, [model.Halves][wayOffsets]uint8{zero, one}, others}
}

// shapes are all places of the key, beside all that the other half may have.
func shapes() []shape {
	none := bucket()
	return []shape{
		shapeOf("base of 0", bucket(2), none),
		shapeOf("base of 0, base", bucket(2), bucket(3)),
		shapeOf("base of 0, members", bucket(2, 1), bucket(3, 4)),
		shapeOf("base of 1", none, bucket(2)),
		shapeOf("base of 1, base", bucket(1), bucket(2)),
		shapeOf("base of 1, members", bucket(1, 3), bucket(2, 4)),
		shapeOf("nearest of 0", bucket(1, 2), none),
		shapeOf("nearest of 0, base", bucket(1, 2), bucket(3)),
		shapeOf("nearest of 0, members", bucket(1, 2), bucket(3, 4)),
		shapeOf("nearest of 0, further", bucket(1, 0, 2), bucket(3, 0, 4)),
		shapeOf("nearest of 1", none, bucket(1, 2)),
		shapeOf("nearest of 1, base", bucket(3), bucket(1, 2)),
		shapeOf("nearest of 1, members", bucket(3, 4), bucket(1, 2)),
		// The home in half 0 is a member of another bucket, which has come round.
		shapeOf("nearest of 1, foreign", none, bucket(1, 2),
			model.Standing{H: 0, K: 13, V: 130}, model.Standing{H: 0, K: 14, V: 140, O: 3}),
		shapeOf("second of 0", bucket(1, 3, 2), bucket(4)),
		shapeOf("second of 0, members", bucket(1, 3, 2), bucket(4, 5)),
		shapeOf("second of 1", bucket(4), bucket(1, 3, 2)),
		shapeOf("second of 1, members", bucket(4, 5), bucket(1, 3, 2)),
		shapeOf("last of 0", bucket(1, 3, 4, 2), bucket(5, 6)),
		shapeOf("last of 1", bucket(5, 6), bucket(1, 3, 4, 2)),
		shapeOf("absent", none, none),
		shapeOf("absent, bases", bucket(1), bucket(3)),
		shapeOf("absent, members", bucket(1, 3), bucket(4, 5)),
		shapeOf("absent, members of 0", bucket(1, 3), none),
		shapeOf("absent, members of 1", none, bucket(1, 3)),
	}
}

// place tells where the key is.
func (s *shape) place() (half, offset int, there bool) {
	for half := range s.buckets {
		if offset := slices.Index(s.buckets[half][:], wayKey); offset >= 0 {
			return half, offset, true
		}
	}
	return 0, 0, false
}

// program is the operations on that shape.
func (s *shape) program(what string, ops ...[]model.Op) model.Program {
	p := model.Program{Name: "Ways: " + s.name + ": " + what, State: "S03AddFull", Near: true, Wide: true,
		Homes: wayHomes(), Ops: ops}
	for half := range s.buckets {
		for offset, k := range s.buckets[half] {
			if k != 0 {
				p.Memory = append(p.Memory,
					model.Standing{H: uint8(half), K: k, V: 10 * k, O: uint8(offset)})
			}
		}
	}
	p.Memory = append(p.Memory, s.others...)
	return p
}

// meanwhile is what somebody else does.
type meanwhile struct {
	name  string
	ops   []model.Op
	fires string // a step that it cannot do without
	all   bool   // short enough for every interleaving
}

// The operations of the others; values that no shape has.
func opAdd(k, v uint8) model.Op { return model.Op{Op: model.OpAdd, K: k, V: v} }
func opUpdate(v uint8) model.Op { return model.Op{Op: model.OpUpdate, K: wayKey, V: v} }
func opDelete(k uint8) model.Op { return model.Op{Op: model.OpDelete, K: k} }
func opCrop(k uint8) model.Op   { return model.Op{Op: model.OpCrop, K: k} }

// meanwhile is all that others may do to the key in its place.
func (s *shape) meanwhile() []meanwhile {
	half, offset, there := s.place()
	all := []meanwhile{
		// A new key of the bucket displaces a base; a base comes where a member stands, which has to go.
		{"add", []model.Op{opAdd(7, 71)}, "HelpFlip", false},
		{"usurp", []model.Op{opAdd(9, 91)}, "HelpClearMember", false},
		{"usurp the third", []model.Op{opAdd(11, 111)}, "HelpClearMember", false},
	}
	if !there {
		come := opAdd(wayKey, 21)
		return append(all, meanwhile{"come", []model.Op{come}, "HelpPublishNew", false},
			meanwhile{"come and go", []model.Op{come, opDelete(wayKey), opCrop(wayKey)}, "CropBase", false})
	}
	gone, back := opDelete(wayKey), opAdd(wayKey, 23)
	all = append(all,
		meanwhile{"update", []model.Op{opUpdate(21)}, "UpdateSwap", true},
		meanwhile{"two updates", []model.Op{opUpdate(21), opUpdate(22)}, "UpdateSwap", true},
		meanwhile{"delete", []model.Op{gone}, "DeleteSwap", true},
		meanwhile{"come back", []model.Op{gone, back}, "HelpPublishNew", false},
		meanwhile{"come back after a crop", []model.Op{gone, opCrop(wayKey), back}, "HelpPublishNew", false})
	if offset > 0 { // the base goes, and a member becomes the base
		base := s.buckets[half][0]
		all = append(all, meanwhile{"lift", []model.Op{opDelete(base), opCrop(base)}, "HelpFlip", false})
	}
	if nearest := s.buckets[half][1]; offset > 1 && nearest != 0 {
		all = append(all, meanwhile{"fewer", []model.Op{opDelete(nearest), opCrop(nearest)},
			"HelpEmptyMember", false})
	}
	return all
}
