import { load } from './load.mjs';
import { audit } from './audit.mjs';
import { decide } from './rules.mjs';

const { settings, problems } = load(['--port=8081', '-v', '--tag', 'a', '--tag', 'b', '--no-color', 'start', '--', 'rest']);
if (problems.length > 0) throw new Error(`settings are wrong: ${problems.join('; ')}`);
const history = audit(settings, { ...settings, server: { ...settings.server, port: 9000, hosts: ['a', 'c'] }, extra: { on: true } });
console.log(settings.server.hosts[1].toUpperCase(), history.changes.map((line) => line.split(' ')[0]).join(), history.undone.server.port.toFixed());
console.log(decide(settings).map((name) => name.padEnd(8)).join('|'), settings.url.length);
