import { dueAt } from './schedule.mjs';

export function overviewOf(parcels) {
  const byDay = new Map();
  for (const parcel of parcels) {
    const day = dueAt(parcel).toISOString().slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), parcel.id]);
  }
  return Object.fromEntries([...byDay].map(([day, ids]) => [day, ids.join(',')]));
}
