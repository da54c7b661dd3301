const http = require('http');
const app = require('./app');

const server = app.listen(0, '127.0.0.1', () => {
  const steps = [
    ['POST', '/rooms', { name: 'Fjord', seats: 8, equipment: ['screen', 'camera'] }],
    ['POST', '/rooms', { name: 'Bay', seats: 2, equipment: [] }],
    ['POST', '/bookings', { room: 'fjord', from: '2025-05-05T09:00:00Z', minutes: 60, guests: ['ada@example.org', 'bo@example.org'], needs: ['screen'] }],
    ['POST', '/bookings', { room: 'bay', from: '2025-05-05T10:00:00Z', minutes: 30, guests: ['ada@example.org'] }],
    ['POST', '/bookings', { room: 'fjord', from: '2025-05-05T09:30:00Z', minutes: 60, guests: [] }],
    ['GET', '/rooms/fjord/day/2025-05-05'],
    ['GET', '/free?seats=2&from=2025-05-05T09:00:00Z&minutes=45'],
    ['DELETE', '/bookings/1'],
    ['GET', '/guests/ada@example.org'],
    ['GET', '/usage'],
  ];
  run(steps, () => server.close());
});

function run([step, ...rest], done) {
  if (!step) return done();
  const [method, path, body] = step;
  const request = http.request({ port: server.address().port, host: '127.0.0.1', method, path, headers: { 'content-type': 'application/json' } }, (response) => {
    response.resume().on('end', () => run(rest, done));
  });
  request.end(body && JSON.stringify(body));
}
