// Program traffic drives cars in and out for a day.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"example.com/parking/api"
	"example.com/parking/client"
	"example.com/parking/config"
	"example.com/parking/pricing"
	"example.com/parking/store"
)

var vehicles = map[string]client.Vehicle{
	"D101": {Plate: "D101", Kind: "car", Owner: &client.Owner{Name: "Nuala", City: "Dublin"}, Badges: []string{"resident"}},
	"D102": {Plate: "D102", Kind: "van", Owner: &client.Owner{Name: "Post", City: "Cork"}},
	"D103": {Plate: "D103", Kind: "car", Badges: []string{"electric"}},
}

func registry(w http.ResponseWriter, r *http.Request) {
	vehicle, known := vehicles[strings.TrimPrefix(r.URL.Path, "/plates/")]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(vehicle)
}

func main() {
	log.SetFlags(log.LstdFlags)
	plates := httptest.NewServer(http.HandlerFunc(registry))
	settings, err := config.Load([]string{
		"# the park at the quay", "capacity.ground=2", "capacity.roof=2", "plates.url=" + plates.URL,
		"plates.timeout=2s", "tariff.car=15:240:15,30,60", "tariff.van=0:360:30,60", "tariff.resident=120:60:60",
	})
	if err != nil {
		panic(err)
	}
	now := time.Date(2025, 3, 1, 8, 0, 0, 0, time.UTC)
	server := &api.Server{
		Store:   store.New(settings.Capacity, []string{"ground", "roof"}),
		Pricing: pricing.New(settings),
		Plates:  client.NewPlates(settings.PlatesURL, settings.Timeout),
		Now:     func() time.Time { return now },
	}
	service := httptest.NewServer(server.Handler())
	for round := 0; round < 3; round++ {
		for _, plate := range []string{"d-101", "D102", "D103", "X-900", "X901", "d101"} {
			post(service.URL + "/entries/" + plate)
			now = now.Add(5 * time.Minute)
		}
		now = now.Add(time.Duration(1+round*4) * time.Hour)
		for _, plate := range []string{"D101", "d102", "D103", "X900", "NONE"} {
			post(service.URL + "/exits/" + plate)
			post(service.URL + "/payments/" + plate)
			post(service.URL + "/exits/" + plate)
			_, _ = http.Get(service.URL + "/levels/ground")
			_, _ = http.Get(service.URL + "/levels/cellar")
		}
	}
}

func post(url string) {
	response, err := http.Post(url, "application/json", nil)
	if err == nil {
		response.Body.Close()
	}
}
