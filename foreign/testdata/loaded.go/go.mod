module example.com/loaded.go

go 1.24
