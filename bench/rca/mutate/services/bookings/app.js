const express = require('express');
const rooms = require('./lib/rooms');
const bookings = require('./lib/bookings');
const usage = require('./lib/usage');

const app = express();
app.use(express.json());

app.post('/rooms', (req, res, next) => {
  rooms.add(req.body, (err, room) => (err ? next(err) : res.status(201).json(room)));
});

app.post('/bookings', (req, res, next) => {
  bookings.create(req.body, (err, booking) => {
    if (err && err.code === 'TAKEN') return res.status(409).json({ taken: err.by.id });
    if (err) return next(err);
    res.status(201).json({ id: booking.id, until: booking.until.toISOString() });
  });
});

app.delete('/bookings/:id', (req, res, next) => {
  bookings.cancel(Number(req.params.id), (err, notified) => (err ? next(err) : res.json({ notified: notified.length })));
});

app.get('/rooms/:id/day/:day', (req, res, next) => {
  bookings.day(req.params.id, req.params.day, (err, list) => {
    if (err) return next(err);
    res.json(list.map((b) => ({ from: b.from.toISOString().slice(11, 16), who: b.guests.join(', ') || 'nobody' })));
  });
});

app.get('/free', (req, res, next) => {
  const { seats, from, minutes } = req.query;
  bookings.free(Number(seats), new Date(from), Number(minutes), (err, list) => (err ? next(err) : res.json(list.map((room) => room.name.toLowerCase()))));
});

app.get('/guests/:mail', (req, res) => res.json(bookings.ofGuest(req.params.mail).map((b) => b.room.name)));
app.get('/usage', (req, res, next) => usage.report((err, report) => (err ? next(err) : res.json(report))));

app.use((err, req, res, next) => {
  console.error(err.stack);
  res.status(500).json({ error: err.message });
});

module.exports = app;
