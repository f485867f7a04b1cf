module example.com/unseen

go 1.26
