// Package api answers the barriers and the pay stations.
package api

import (
	"encoding/json"
	"log"
	"net/http"
	"strings"
	"time"

	"example.com/parking/client"
	"example.com/parking/pricing"
	"example.com/parking/store"
)

// Server has what the handlers need.
type Server struct {
	Store   *store.Store
	Pricing *pricing.Pricing
	Plates  *client.Plates
	Now     func() time.Time
}

// Handler routes the requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /entries/{plate}", s.enter)
	mux.HandleFunc("POST /payments/{plate}", s.pay)
	mux.HandleFunc("POST /exits/{plate}", s.exit)
	mux.HandleFunc("GET /levels/{name}", s.level)
	return mux
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	plate := normalize(r.PathValue("plate"))
	if s.Store.Find(plate) != nil {
		fail(w, http.StatusConflict, "is here already")
		return
	}
	vehicle, err := s.Plates.Look(plate)
	if err != nil {
		log.Printf("enter %s: %v", plate, err)
		fail(w, http.StatusBadGateway, "the registry doesn't answer")
		return
	}
	kind := "car"
	if vehicle != nil {
		kind = kindOf(vehicle)
	}
	stay := s.Store.Park(plate, kind, s.Now())
	if stay == nil {
		fail(w, http.StatusServiceUnavailable, "all spots are taken")
		return
	}
	answer(w, map[string]any{"level": stay.Level.Name, "spot": stay.Spot})
}

func (s *Server) pay(w http.ResponseWriter, r *http.Request) {
	stay := s.Store.Find(normalize(r.PathValue("plate")))
	if stay == nil {
		fail(w, http.StatusNotFound, "isn't here")
		return
	}
	cents := s.Pricing.Cents(stay, s.Now())
	stay.Payment = &store.Payment{Cents: cents, At: s.Now()}
	answer(w, map[string]any{"cents": cents})
}

func (s *Server) exit(w http.ResponseWriter, r *http.Request) {
	stay := s.Store.Find(normalize(r.PathValue("plate")))
	if stay == nil {
		fail(w, http.StatusNotFound, "isn't here")
		return
	}
	if !s.Pricing.IsPaid(stay, s.Now()) {
		fail(w, http.StatusPaymentRequired, "isn't paid")
		return
	}
	s.Store.Leave(stay.Plate)
	paid := 0
	if stay.Payment != nil {
		paid = stay.Payment.Cents
	}
	answer(w, map[string]any{"paid": paid})
}

func (s *Server) level(w http.ResponseWriter, r *http.Request) {
	answer(w, s.Store.Occupants(r.PathValue("name")))
}

func kindOf(vehicle *client.Vehicle) string {
	for _, badge := range vehicle.Badges {
		if badge == "resident" && vehicle.Owner.City == "Dublin" {
			return "resident"
		}
	}
	return vehicle.Kind
}

func normalize(plate string) string {
	return strings.ToUpper(strings.ReplaceAll(plate, "-", ""))
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("content-type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Printf("answer: %v", err)
	}
}

func fail(w http.ResponseWriter, status int, reason string) {
	w.WriteHeader(status)
	answer(w, map[string]string{"error": reason})
}
