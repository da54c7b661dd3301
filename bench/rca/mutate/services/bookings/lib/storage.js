const tables = { rooms: new Map(), bookings: new Map() };

exports.put = function put(table, id, value, callback) {
  const rows = tables[table];
  setImmediate(() => {
    rows.set(id, value);
    callback(null, value);
  });
};

exports.get = function get(table, id, callback) {
  setImmediate(() => callback(null, tables[table].get(id)));
};

exports.remove = function remove(table, id, callback) {
  setImmediate(() => {
    const value = tables[table].get(id);
    tables[table].delete(id);
    callback(null, value);
  });
};

exports.list = function list(table, callback) {
  setImmediate(callback, null, Array.from(tables[table].values()));
};
