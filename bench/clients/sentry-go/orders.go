package main

import (
	"time"

	"github.com/getsentry/sentry-go"
)

type order struct {
	lines []string
}

func totalOf(placed *order) int {
	return len(placed.lines)
}

func main() {
	if err := sentry.Init(sentry.ClientOptions{}); err != nil {
		panic(err)
	}
	defer sentry.Flush(10 * time.Second)
	defer sentry.Recover()
	totalOf(nil)
}
