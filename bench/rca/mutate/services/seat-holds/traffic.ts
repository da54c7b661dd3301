import { open } from './src/api.ts';

const api = await open(() => Date.UTC(2025, 0, 1, 12, 0));
const seats = (venue: string, names: string[], customer = 'ada') => api.send('hold', { venue, seats: names, customer });

const hold = await seats('north', ['A1', 'A2']);
await seats('north', ['A2', 'B1'], 'bo');
await seats('south', ['B2'], 'bo');
await Promise.all([api.send('map', { venue: 'north' }), api.send('map', { venue: 'south' }), api.send('map', { venue: 'north' })]);
await api.send('confirm', { hold: hold?.id });
await seats('north', ['C4'], 'cy');
await api.send('release', { customer: 'bo' });
await seats('south', ['B2'], 'cy');
await api.send('bill', { customer: 'ada' });
await api.send('sold', { venue: 'north' });
await api.close();
