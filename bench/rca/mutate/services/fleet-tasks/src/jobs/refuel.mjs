import { slots } from '../slots.mjs';

export async function refuel(vehicle, liters) {
  slots.enter(vehicle);
  try {
    if (liters <= 0) return null;
    await null;
    return { vehicle, liters };
  } finally {
    slots.leave(vehicle);
  }
}
