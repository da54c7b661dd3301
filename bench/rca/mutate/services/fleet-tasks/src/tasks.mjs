import { inspect } from './jobs/inspect.mjs';
import { locate } from './jobs/locate.mjs';
import { refuel } from './jobs/refuel.mjs';

export function run({ kind, vehicle, liters }) {
  if (kind === 'locate') return locate(vehicle);
  if (kind === 'refuel') return refuel(vehicle, liters);
  return inspect(vehicle);
}
