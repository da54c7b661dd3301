const net = require('node:net');
const { EventEmitter } = require('node:events');
const { Framer, encode } = require('./framing.cjs');
const { Rooms } = require('./rooms.cjs');
const commands = require('./commands.cjs');

exports.createRelay = function createRelay(options) {
  const relay = new EventEmitter();
  const rooms = new Rooms(options.historyLimit);
  const people = new Set();

  const server = net.createServer((socket) => {
    const person = { name: null, rooms: new Set(), sent: 0, deliver: (message) => socket.write(encode(message)) };
    const framer = new Framer(options.maxLine);
    people.add(person);
    socket.on('data', (chunk) => {
      try {
        for (const message of framer.push(chunk)) {
          const body = commands.run(message.type, { person, people, rooms }, message.body);
          socket.write(encode({ reply: message.id, body }));
        }
      } catch (error) {
        relay.emit('fault', error, person.name || 'somebody');
        socket.destroy();
      }
    });
    socket.on('close', () => {
      for (const room of person.rooms) rooms.get(room).members.delete(person);
      people.delete(person);
    });
    socket.on('error', () => socket.destroy());
  });

  relay.listen = (ready) => server.listen(0, '127.0.0.1', () => ready(server.address().port));
  relay.close = () => server.close();
  return relay;
};
