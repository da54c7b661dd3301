const rooms = require('./rooms');
const storage = require('./storage');
const guests = require('./guests');
const { overlaps, addMinutes, sameDay } = require('./times');

let next = 1;

exports.create = function create(input, callback) {
  rooms.find(input.room, (err, room) => {
    if (err) return callback(err);
    const from = new Date(input.from);
    const until = addMinutes(from, input.minutes);
    const by = room.slots.find((slot) => overlaps(slot, { from, until }));
    if (by) return callback(Object.assign(new Error('the room is taken'), { code: 'TAKEN', by }));
    const missing = (input.needs || []).filter((need) => !room.equipment.has(need));
    if (missing.length > 0) return callback(new Error(room.name + ' has no ' + missing[0].trim()));
    const booking = { id: next++, room, from, until, guests: input.guests };
    room.slots.push(booking);
    guests.invite(booking);
    storage.put('bookings', booking.id, booking, callback);
  });
};

exports.cancel = function cancel(id, callback) {
  storage.remove('bookings', id, (err, booking) => {
    if (err) return callback(err);
    booking.room.slots.splice(booking.room.slots.indexOf(booking), 1);
    callback(null, guests.uninvite(booking));
  });
};

exports.day = function day(roomId, date, callback) {
  rooms.find(roomId, (err, room) => {
    if (err) return callback(err);
    const slots = room.slots.filter((slot) => sameDay(slot.from, date));
    callback(null, slots.sort((a, b) => a.from - b.from));
  });
};

exports.free = function free(seats, from, minutes, callback) {
  rooms.all((err, list) => {
    if (err) return callback(err);
    const wanted = { from, until: addMinutes(from, minutes) };
    callback(null, list.filter((room) => room.seats >= seats && !room.slots.some((slot) => overlaps(slot, wanted))));
  });
};

exports.ofGuest = (mail) => guests.bookingsOf(mail);
