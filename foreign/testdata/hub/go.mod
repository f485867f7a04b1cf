module example.com/hub

go 1.22
