module example.com/beside

go 1.26
