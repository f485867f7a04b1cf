module example.com/accesses

go 1.26
