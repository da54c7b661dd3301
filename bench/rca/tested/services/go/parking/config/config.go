// Package config reads the settings of the car park service.
package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Config holds what differs between car parks.
type Config struct {
	Capacity  map[string]int
	Tariffs   map[string]Tariff
	PlatesURL string
	Timeout   time.Duration
}

// Tariff is what a kind of car pays.
type Tariff struct {
	FreeMinutes  int
	CentsPerHour int
	Steps        []int
}

// Load reads settings from lines of `key=value`.
func Load(lines []string) (*Config, error) {
	values := map[string]string{}
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			return nil, fmt.Errorf("config: %q isn't key=value", line)
		}
		values[key] = value
	}
	config := &Config{Capacity: map[string]int{}, Tariffs: map[string]Tariff{}, PlatesURL: values["plates.url"]}
	for key, value := range values {
		if level, ok := strings.CutPrefix(key, "capacity."); ok {
			number, err := strconv.Atoi(value)
			if err != nil {
				return nil, fmt.Errorf("config: %s: %w", key, err)
			}
			config.Capacity[level] = number
		}
		if kind, ok := strings.CutPrefix(key, "tariff."); ok {
			tariff, err := parseTariff(value)
			if err != nil {
				return nil, fmt.Errorf("config: %s: %w", key, err)
			}
			config.Tariffs[kind] = tariff
		}
	}
	timeout, err := time.ParseDuration(values["plates.timeout"])
	if err != nil {
		return nil, err
	}
	config.Timeout = timeout
	return config, nil
}

// parseTariff reads `free:perHour:step,step`.
func parseTariff(text string) (Tariff, error) {
	parts := strings.Split(text, ":")
	free, err := strconv.Atoi(parts[0])
	if err != nil {
		return Tariff{}, err
	}
	perHour, err := strconv.Atoi(parts[1])
	if err != nil {
		return Tariff{}, err
	}
	tariff := Tariff{FreeMinutes: free, CentsPerHour: perHour}
	for _, step := range strings.Split(parts[2], ",") {
		minutes, err := strconv.Atoi(step)
		if err != nil {
			return Tariff{}, err
		}
		tariff.Steps = append(tariff.Steps, minutes)
	}
	return tariff, nil
}
