const rooms = require('./rooms');
const { hours } = require('./times');

const openHours = 10;

exports.report = function report(callback) {
  rooms.all((err, list) => {
    if (err) return callback(err);
    const rows = list.map((room) => {
      const used = room.slots.reduce((sum, slot) => sum + hours(slot), 0);
      if (used > openHours) throw new Error(room.name + ' was used for ' + used + ' hours');
      return { room: room.name, used: used.toFixed(1), share: Math.round((used / openHours) * 100), first: room.slots[0] ? room.slots[0].from.toISOString() : null };
    });
    callback(null, rows);
  });
};
