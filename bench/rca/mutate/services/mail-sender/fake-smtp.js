const net = require('node:net');

/** A mail server that accepts everything and remembers it. */
exports.startFakeSmtp = function startFakeSmtp(ready) {
  const received = [];
  const server = net.createServer((socket) => {
    let buffer = '';
    let inData = false;
    socket.write('220 ready\r\n');
    socket.on('error', () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => {
      buffer += chunk;
      let end;
      while ((end = buffer.indexOf(inData ? '\r\n.\r\n' : '\r\n')) >= 0) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          const subject = /^Subject: (.*)$/m.exec(line);
          received.push({ order: received.length, subject: subject && subject[1], size: line.length });
          socket.write('250 queued as ' + received.length + '\r\n');
        } else if (line === 'DATA') {
          inData = true;
          socket.write('354 go ahead\r\n');
        } else if (/^(HELO|MAIL FROM:<\S+@\S+>|RCPT TO:<\S+@\S+>|QUIT)/.test(line)) {
          socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
        } else {
          socket.write('500 what is ' + line + '\r\n');
        }
      }
    });
  });
  server.listen(0, '127.0.0.1', () => ready({ port: server.address().port, received, close: () => server.close() }));
};
