const net = require('node:net');
const { addressOf } = require('./mime');

exports.deliver = function deliver({ host, port, from, to, message }, callback) {
  const socket = net.connect(port, host);
  const commands = ['HELO shop', 'MAIL FROM:<' + addressOf(from) + '>', 'RCPT TO:<' + addressOf(to) + '>', 'DATA', message + '\r\n.', 'QUIT'];
  let called = false;
  let last = '';
  const finish = (error, result) => {
    if (called) return;
    called = true;
    socket.end();
    callback(error, result);
  };
  socket.setTimeout(300, () => finish(new Error('no answer after ' + commands[0])));
  socket.on('error', finish);
  socket.setEncoding('utf8').on('data', (answer) => {
    if (!/^[23]/.test(answer)) return finish(new Error('refused: ' + answer.trim()));
    if (answer.startsWith('221')) return finish(null, last);
    if (answer.includes('queued')) last = answer.split('as ')[1].trim();
    socket.write(commands.shift() + '\r\n');
  });
};
