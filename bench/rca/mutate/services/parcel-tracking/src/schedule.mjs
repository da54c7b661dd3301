const days = { express: 1, standard: 3 };
const dayMs = 24 * 60 * 60 * 1000;

export function dueAt({ service, scans }) {
  const first = firstScan(scans);
  const due = new Date(first.getTime() + days[service] * dayMs);
  return due.getUTCDay() === 0 ? new Date(due.getTime() + dayMs) : due;
}

function firstScan(scans) {
  const times = scans.map(({ at }) => at.getTime());
  return new Date(Math.min(...times));
}
