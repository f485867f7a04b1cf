package scenarios

import (
	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Budget is how far a program is searched.
type Budget struct {
	Preemptions int // explore.Unbounded or a bound
	Kills       int
}

// budgets are those of make check: everything where it fits in seconds, else the largest
// preemption bound that does. What a bound leaves out, the record says.
var budgets = map[string]Budget{
	"S01AddEmpty":                        {explore.Unbounded, 1},
	"S01AddEmpty_Near":                   {explore.Unbounded, 1},
	"S02AddCollision":                    {explore.Unbounded, 1},
	"S02AddCollision_SharedHole":         {explore.Unbounded, 1},
	"S02AddCollision_LostHole":           {2, 1},
	"S02AddCollision_FullHalf":           {2, 1},
	"S02AddCollision_Near":               {explore.Unbounded, 1},
	"S03AddFull":                         {3, 1},
	"S03AddFull_Oldest":                  {2, 1},
	"S03AddFull_OnlyMember":              {2, 1},
	"S03AddFull_Foreign":                 {2, 1},
	"S03AddFull_Base":                    {2, 1},
	"S03AddFull_LostHole":                {2, 1},
	"S03AddFull_Far":                     {2, 1},
	"S03AddFull_Near":                    {2, 1},
	"S04AddCollisionEmpty":               {explore.Unbounded, 1},
	"S04AddCollisionEmpty_SameKey":       {explore.Unbounded, 1},
	"S04AddCollisionEmpty_SameKeyBases":  {3, 1},
	"S04AddCollisionEmpty_LateHelper":    {2, 1},
	"S04AddCollisionEmpty_Near":          {explore.Unbounded, 1},
	"S04AddCollisionEmpty_NearSameKey":   {explore.Unbounded, 1},
	"S05AddEmptyGet":                     {explore.Unbounded, 1},
	"S05AddEmptyGet_Near":                {explore.Unbounded, 1},
	"S06AddCollisionGet":                 {explore.Unbounded, 1},
	"S06AddCollisionGet_New":             {explore.Unbounded, 1},
	"S06AddCollisionGet_Helped":          {2, 1},
	"S06AddCollisionGet_Near":            {explore.Unbounded, 1},
	"S06AddCollisionGet_NearNew":         {explore.Unbounded, 1},
	"S07AddCollisionUpdate":              {explore.Unbounded, 1},
	"S07AddCollisionUpdate_OldMap":       {2, 1},
	"S07AddCollisionUpdate_Near":         {3, 1},
	"S08AddEmptyDelete":                  {explore.Unbounded, 1},
	"S08AddEmptyDelete_Update":           {2, 1},
	"S08AddEmptyDelete_Near":             {explore.Unbounded, 1},
	"S09AddCollisionDeleteMember":        {2, 1},
	"S09AddCollisionDeleteMember_OldMap": {2, 1},
	"S09AddCollisionDeleteMember_Turn":   {2, 1},
	"S09AddCollisionDeleteMember_Near":   {2, 1},
	"S10AddCollisionDeleteBase":          {3, 1},
	"S10AddCollisionDeleteBase_SameKey":  {2, 1},
	"S10AddCollisionDeleteBase_Near":     {2, 1},
	"S11UsurpGet":                        {3, 1},
	"S11UsurpGet_Near":                   {3, 1},
	"S12UsurpUpdate":                     {3, 1},
	"S12UsurpUpdate_LateMark":            {2, 1},
	"S12UsurpUpdate_Near":                {2, 1},
	"S13UsurpDelete":                     {3, 1},
	"S13UsurpDelete_Again":               {2, 1},
	"S13UsurpDelete_Near":                {2, 1},
	"S14UsurpDeleteBase":                 {3, 1},
	"S14UsurpDeleteBase_Crop":            {2, 1},
	"S14UsurpDeleteBase_Turn":            {2, 1},
	"S14UsurpDeleteBase_Near":            {2, 1},
	"S15GetMany":                         {explore.Unbounded, 1},
	"S15GetMany_Near":                    {explore.Unbounded, 1},
	"S16GetDeleteMember":                 {explore.Unbounded, 1},
	"S16GetDeleteMember_Near":            {3, 1},
	"S17GetDeleteBase":                   {explore.Unbounded, 1},
	"S17GetDeleteBase_Turn":              {2, 1},
	"S17GetDeleteBase_Near":              {3, 1},
	"S18GetUpdate":                       {explore.Unbounded, 1},
	"S18GetUpdate_Near":                  {explore.Unbounded, 1},
	"S19UpdateSameKey":                   {explore.Unbounded, 1},
	"S19UpdateSameKey_Near":              {explore.Unbounded, 1},
	"S20DeleteMembers":                   {explore.Unbounded, 1},
	"S20DeleteMembers_Crops":             {2, 1},
	"S20DeleteMembers_Near":              {2, 1},
	"S21DeleteBase":                      {3, 1},
	"S21DeleteBase_Reused":               {2, 1},
	"S21DeleteBase_Turn":                 {2, 1},
	"S21DeleteBase_Near":                 {2, 1},
	"S22DeleteBaseMembers":               {3, 1},
	"S22DeleteBaseMembers_Crops":         {2, 1},
	"S22DeleteBaseMembers_Update":        {2, 1},
	"S22DeleteBaseMembers_Near":          {2, 1},
	"S23DeleteSameKey":                   {3, 1},
	"S23DeleteSameKey_Near":              {explore.Unbounded, 1},
	"S24UsurpDeleteInProgress":           {3, 1},
	"S24UsurpDeleteInProgress_Near":      {2, 1},
}

// threeActors are the budgets of model.ThreeActors. A death at each step makes some fifty times as many
// executions of one preemption: the large ones go without.
var threeActors = map[string]Budget{
	"S01AddEmpty_Three":                 {1, 1},
	"S02AddCollision_Three":             {1, 0},
	"S03AddFull_Three":                  {1, 0},
	"S04AddCollisionEmpty_Three":        {1, 0},
	"S05AddEmptyGet_Three":              {1, 1},
	"S06AddCollisionGet_Three":          {1, 0},
	"S07AddCollisionUpdate_Three":       {1, 0},
	"S08AddEmptyDelete_Three":           {1, 1},
	"S09AddCollisionDeleteMember_Three": {1, 0},
	"S10AddCollisionDeleteBase_Three":   {1, 0},
	"S11UsurpGet_Three":                 {1, 0},
	"S12UsurpUpdate_Three":              {1, 0},
	"S13UsurpDelete_Three":              {1, 0},
	"S14UsurpDeleteBase_Three":          {1, 0},
	"S15GetMany_Three":                  {1, 1},
	"S16GetDeleteMember_Three":          {1, 1},
	"S17GetDeleteBase_Three":            {1, 1},
	"S18GetUpdate_Three":                {1, 1},
	"S19UpdateSameKey_Three":            {1, 1},
	"S20DeleteMembers_Three":            {1, 1},
	"S21DeleteBase_Three":               {1, 1},
	"S22DeleteBaseMembers_Three":        {1, 0},
	"S23DeleteSameKey_Three":            {1, 1},
	"S24UsurpDeleteInProgress_Three":    {1, 0},
}

// Checked is the budget of a program in make check; one that is not listed gets two preemptions.
func Checked(p model.Program) Budget {
	if b, ok := budgets[p.Name]; ok {
		return b
	}
	if b, ok := threeActors[p.Name]; ok {
		return b
	}
	return Budget{Preemptions: 2, Kills: 1}
}
