package states

// rows are the states in their order.
var rows = []Row{
	{State: "M01ReaderWriter",
		Programs: []Program{
			{"M01ReaderWriter", Classes},
			{"M01ReaderWriter_Three", 3},
		},
		Volume: Mix{Get: 4, GetFunc: 8, Put: 4, InvalidateIf: 4}},
	{State: "M02WriterStarvation",
		Programs: []Program{
			{"M02WriterStarvation", Endless},
			{"M02WriterStarvation_Readers", Endless},
			{"M02WriterStarvation_Writers", Endless},
			{"M02WriterStarvation_Rounds", 3},
		},
		Volume: Mix{Get: 4, GetFunc: 12, Put: 4}},
	{State: "M03WriterDrain",
		Programs: []Program{
			{"M03WriterDrain", Classes},
		},
		Volume: Mix{Get: 4, GetFunc: 12, Put: 4}},
	{State: "M04WriterWriter",
		Programs: []Program{
			{"M04WriterWriter", Classes},
		},
		Volume: Mix{Get: 2, Put: 8, InvalidateIf: 8, Invalidate: 4}},
	{State: "M05ReadRetreat",
		Programs: []Program{
			{"M05ReadRetreat", Classes},
			{"M05ReadRetreat_Three", Classes},
		},
		Volume: Mix{Get: 8, GetFunc: 8, Put: 8, InvalidateIf: 4}},
	{State: "M06GetInvalidate",
		Programs: []Program{
			{"M06GetInvalidate", 3},
		},
		Volume: Mix{Get: 8, Put: 8, Invalidate: 8}},
	{State: "M07DeferredInvalidation",
		Programs: []Program{
			{"M07DeferredInvalidation", Classes},
			{"M07DeferredInvalidation_Anew", 3},
			{"M07DeferredInvalidation_Heals", Endless},
		},
		Volume: Mix{GetFunc: 12, Put: 8}},
	{State: "M08CleanupPut",
		Programs: []Program{
			{"M08CleanupPut", Classes},
			{"M08CleanupPut_Three", 3},
			{"M08CleanupPut_Heals", Endless},
		},
		Volume: Mix{Cleanup: 8, Put: 8, Get: 4}},
	{State: "M09TwoCleanups",
		Programs: []Program{
			{"M09TwoCleanups", Classes},
			{"M09TwoCleanups_Throws", Classes},
		},
		Volume: Mix{Cleanup: 8, TryCleanup: 8, Put: 4}},
	{State: "M10CursorWrap",
		Programs: []Program{
			{"M10CursorWrap", Classes},
			{"M10CursorWrap_Four", Classes},
		},
		Volume: Mix{Cleanup: 12, TryCleanup: 4, Put: 4}},
	{State: "M11SizeChanging",
		Programs: []Program{
			{"M11SizeChanging", Classes},
			{"M11SizeChanging_Three", 3},
		},
		Volume: Mix{Size: 8, Put: 8, Invalidate: 8}},
	{State: "M12ConditionalInvalidate",
		Programs: []Program{
			{"M12ConditionalInvalidate", Classes},
		},
		Volume: Mix{InvalidateIf: 12, Put: 8, Get: 4}},
	{State: "M13FullCleanup",
		Programs: []Program{
			{"M13FullCleanup", Classes},
		},
		Volume: Mix{FullCleanup: 8, TryCleanup: 4, Put: 8}},
	{State: "M14CallbackReenters",
		Programs: []Program{
			// Its race is two actors about to look at the same time. One execution of each class need not
			// come by it.
			{"M14CallbackReenters", All},
			{"M14CallbackReenters_OtherShard", Classes},
			{"M14CallbackReenters_TryCleanup", Classes},
			{"M14CallbackReenters_NestedGet", Endless},
			{"M14CallbackReenters_NestedPut", Endless},
			{"M14CallbackReenters_CrossedPuts", Endless},
			{"M14CallbackReenters_CrossedGets", Endless},
			{"M14CallbackReenters_PredicateGets", Endless},
			{"M14CallbackReenters_PredicateCleans", Endless},
			{"M14CallbackReenters_CallbackCleans", Endless},
		},
		Volume: Mix{Cleanup: 8, TryCleanup: 4, Put: 8}},
}
