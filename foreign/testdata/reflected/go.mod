module example.com/reflected

go 1.22
