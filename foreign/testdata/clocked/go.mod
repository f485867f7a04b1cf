module example.com/clocked

go 1.26
