// Package store keeps which car stands where.
package store

import (
	"sync"
	"time"
)

// Stay is a car that is parked, or was.
type Stay struct {
	Plate   string
	Level   *Level
	Spot    int
	Kind    string
	Since   time.Time
	Payment *Payment
}

// Payment is what a driver has paid.
type Payment struct {
	Cents int
	At    time.Time
}

// Level is a floor with numbered spots.
type Level struct {
	Name  string
	Spots []*Stay
	Free  []int
}

// Store holds all levels.
type Store struct {
	mu     sync.Mutex
	levels map[string]*Level
	stays  map[string]*Stay
	order  []string
}

// New creates the levels, each with a number of spots.
func New(capacity map[string]int, order []string) *Store {
	store := &Store{levels: map[string]*Level{}, stays: map[string]*Stay{}, order: order}
	for _, name := range order {
		spots := capacity[name]
		level := &Level{Name: name, Spots: make([]*Stay, spots)}
		for spot := spots - 1; spot >= 0; spot-- {
			level.Free = append(level.Free, spot)
		}
		store.levels[name] = level
	}
	return store
}

// Park gives a car the next free spot; nil when all are taken.
func (s *Store) Park(plate, kind string, now time.Time) *Stay {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.order {
		level := s.levels[name]
		if len(level.Free) == 0 {
			continue
		}
		spot := level.Free[len(level.Free)-1]
		level.Free = level.Free[:len(level.Free)-1]
		stay := &Stay{Plate: plate, Level: level, Spot: spot, Kind: kind, Since: now}
		level.Spots[spot] = stay
		s.stays[plate] = stay
		return stay
	}
	return nil
}

// Find returns the stay of a car; nil when it isn't here.
func (s *Store) Find(plate string) *Stay {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stays[plate]
}

// Leave frees the spot of a car that has paid.
func (s *Store) Leave(plate string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stay := s.stays[plate]
	if stay == nil {
		return
	}
	stay.Level.Spots[stay.Spot] = nil
	stay.Level.Free = append(stay.Level.Free, stay.Spot)
	delete(s.stays, plate)
}

// Occupants lists the plates on a level by spot.
func (s *Store) Occupants(name string) map[int]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	plates := map[int]string{}
	level := s.levels[name]
	if level == nil {
		return plates
	}
	for spot := 0; spot < len(level.Spots); spot++ {
		if stay := level.Spots[spot]; stay != nil {
			plates[spot] = stay.Plate
		}
	}
	return plates
}
