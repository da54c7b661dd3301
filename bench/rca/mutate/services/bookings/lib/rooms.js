const storage = require('./storage');

exports.add = function add(input, callback) {
  if (!input.name) return callback(new Error('a room needs a name'));
  const room = { id: input.name.toLowerCase(), name: input.name, seats: input.seats, equipment: new Set(input.equipment), slots: [] };
  storage.put('rooms', room.id, room, callback);
};

exports.find = function find(id, callback) {
  storage.get('rooms', id, (err, room) => {
    if (err) return callback(err);
    if (!room) return callback(new Error('no room ' + id));
    callback(null, room);
  });
};

exports.all = function all(callback) {
  storage.list('rooms', (err, list) => {
    if (err) return callback(err);
    callback(null, list.sort((a, b) => a.seats - b.seats));
  });
};
