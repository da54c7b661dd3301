import { dueAt } from './schedule.mjs';

export function createStatus(store) {
  const known = new Map();

  async function load(id) {
    const parcel = await store.find(id);
    const due = dueAt(parcel);
    const depots = new Set(parcel.scans.map(({ depot }) => depot));
    return { id, due, depots, late: isLate(parcel, due) };
  }

  return {
    async of(id) {
      const before = known.get(id);
      if (before !== undefined) return before;
      const status = await load(id);
      known.set(id, status);
      return status;
    },
    forget: (id) => known.delete(id),
  };
}

function isLate({ scans }, due) {
  const last = scans.at(-1);
  return last !== undefined && last.at.getTime() > due.getTime();
}
