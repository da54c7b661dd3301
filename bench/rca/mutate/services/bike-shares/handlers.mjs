import { bikes, riders } from './bikes.mjs';
import { priceOf } from './prices.mjs';

export function rent({ params, body }, reply) {
  const bike = bikes.get(params.id);
  if (!bike) return reply(404, { error: 'no such bike' });
  const rider = riders.get(body.rider);
  if (!rider) return reply(422, { error: 'no such rider' });
  if (bike.rider) return reply(409, { error: 'rented' });
  bike.rider = body.rider;
  bike.dock = null;
  return reply(200, { bike: bike.id, minutes: rider.minutes });
}

export function giveBack({ params, body }, reply) {
  const bike = bikes.get(params.id);
  if (!bike) return reply(404, { error: 'no such bike' });
  const rider = riders.get(bike.rider);
  if (!rider) return reply(409, { error: 'not rented' });
  const price = priceOf(rider, body.minutes);
  rider.rides.push({ bike: bike.id, price });
  rider.minutes = Math.max(0, rider.minutes - body.minutes);
  bike.rider = null;
  bike.dock = body.dock;
  return reply(200, { price });
}

export function repair({ params, body }, reply) {
  const bike = bikes.get(params.id);
  if (!bike) return reply(404, { error: 'no such bike' });
  const { parts } = body;
  if (!parts) return reply(400, { error: 'no parts' });
  bike.repairs.push(parts.join(' and '));
  return reply(200, { repairs: bike.repairs.length });
}

export function history({ params }, reply) {
  const rider = riders.get(params.id);
  if (!rider) return reply(404, { error: 'no such rider' });
  return reply(200, rider.rides.map(({ bike, price }) => `${bike} ${price}`));
}
