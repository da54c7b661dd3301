class Room {
  constructor(name, limit) {
    this.name = name;
    this.limit = limit;
    this.members = new Set();
    this.history = [];
  }

  post(line) {
    this.history.push(line);
    if (this.history.length > this.limit) this.history.shift();
    for (const member of this.members) if (member !== line.from) member.deliver({ event: 'line', text: line.text, from: line.from.name });
    return this.members.size - 1;
  }
}

exports.Rooms = class Rooms {
  constructor(limit) {
    this.limit = limit;
    this.byName = new Map();
  }

  get(name) {
    const room = this.byName.get(name);
    if (!room) throw new Error('there is no room ' + name);
    return room;
  }

  ensure(name) {
    if (!this.byName.has(name)) this.byName.set(name, new Room(name, this.limit));
    return this.byName.get(name);
  }
};
