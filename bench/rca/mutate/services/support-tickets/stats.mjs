export function summarize(tickets) {
  const groups = Object.groupBy(tickets, ({ status }) => status);
  const minutes = groups.closed.map(({ closed }) => closed.minutes);
  const mean = minutes.reduce((sum, each) => sum + each, 0) / minutes.length;
  const busiest = Object.entries(Object.groupBy(tickets, ({ team }) => team.name)).toSorted(([, a], [, b]) => b.length - a.length)[0][0];
  if (!Number.isFinite(mean)) throw new Error('no mean time to close');
  return { open: groups.open.length, meanMinutes: mean.toFixed(1), busiest };
}
