package remote

// RingForTest ends a sleep of Serve, as a client does that rings without a request.
func (s *Service) RingForTest() { _ = s.ring() }
