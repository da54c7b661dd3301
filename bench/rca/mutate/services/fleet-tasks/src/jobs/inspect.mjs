import { slots } from '../slots.mjs';

export async function inspect(vehicle) {
  slots.enter(vehicle);
  const found = await Promise.resolve({ tires: 'worn' });
  slots.leave(vehicle);
  return { vehicle, ...found };
}
