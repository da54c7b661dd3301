const net = require('node:net');
const { Framer, encode } = require('./framing.cjs');

exports.connect = function connect(port, name) {
  const socket = net.connect(port, '127.0.0.1');
  const framer = new Framer(10000);
  const waiting = new Map();
  let next = 1;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    for (const message of framer.push(chunk)) {
      const resolve = waiting.get(message.reply);
      waiting.delete(message.reply);
      if (resolve) resolve(message.body);
    }
  });
  const send = (type, body) =>
    new Promise((resolve, reject) => {
      const id = next++;
      const timer = setTimeout(() => reject(new Error(`no answer to ${type} of ${name} within 400 ms`)), 400);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      socket.write(encode({ id, type, body }));
    });
  return send('hello', { name }).then(() => ({ send, close: () => socket.end() }));
};
