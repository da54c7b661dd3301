// Package pricing says what a stay costs.
package pricing

import (
	"time"

	"example.com/parking/config"
	"example.com/parking/store"
)

// Pricing knows the tariffs.
type Pricing struct {
	tariffs map[string]config.Tariff
}

// New returns the prices of a configuration.
func New(settings *config.Config) *Pricing {
	return &Pricing{tariffs: settings.Tariffs}
}

// Cents is what a stay costs until now. Every step that has begun is paid.
func (p *Pricing) Cents(stay *store.Stay, now time.Time) int {
	tariff, known := p.tariffs[stay.Kind]
	if !known {
		tariff = p.tariffs["car"]
	}
	minutes := int(now.Sub(stay.Since).Minutes())
	if minutes <= tariff.FreeMinutes {
		return 0
	}
	step := stepOf(tariff, minutes)
	return ((minutes + step - 1) / step) * step * tariff.CentsPerHour / 60
}

// stepOf is longer the longer somebody stays.
func stepOf(tariff config.Tariff, minutes int) int {
	index := minutes / 240
	if index >= len(tariff.Steps) {
		index = len(tariff.Steps) - 1
	}
	return tariff.Steps[index]
}

// IsPaid reports whether a payment covers the stay until now, with a quarter of an hour to drive out.
func (p *Pricing) IsPaid(stay *store.Stay, now time.Time) bool {
	if p.Cents(stay, now) == 0 {
		return true
	}
	if stay.Payment == nil {
		return false
	}
	return now.Sub(stay.Payment.At) <= 15*time.Minute
}
