// Package client asks the registry of plates.
package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Vehicle is what the registry knows of a plate.
type Vehicle struct {
	Plate  string   `json:"plate"`
	Kind   string   `json:"kind"`
	Owner  *Owner   `json:"owner"`
	Badges []string `json:"badges"`
}

// Owner is who a car belongs to.
type Owner struct {
	Name string `json:"name"`
	City string `json:"city"`
}

// Plates is a client of the registry.
type Plates struct {
	base string
	http *http.Client
}

// NewPlates returns a client of the registry at an address.
func NewPlates(base string, timeout time.Duration) *Plates {
	return &Plates{base: base, http: &http.Client{Timeout: timeout}}
}

// Look returns a vehicle; nil when the registry doesn't know the plate.
func (p *Plates) Look(plate string) (*Vehicle, error) {
	response, err := p.http.Get(p.base + "/plates/" + plate)
	if err != nil {
		return nil, fmt.Errorf("plates: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("plates: %s answered %d", plate, response.StatusCode)
	}
	vehicle := &Vehicle{}
	if err := json.NewDecoder(response.Body).Decode(vehicle); err != nil {
		return nil, fmt.Errorf("plates: %w", err)
	}
	return vehicle, nil
}
