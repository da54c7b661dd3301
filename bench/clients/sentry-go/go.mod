module shop.example/orders

go 1.25.0

require github.com/getsentry/sentry-go v0.50.0
