export function trendOf(sensors) {
  return sensors.map(({ name, history }) => {
    const points = history.toArray();
    const [first, ...rest] = points;
    const slope = rest.length === 0 ? 0 : (rest.at(-1).mean - first.mean) / (rest.at(-1).start - first.start);
    if (!Number.isFinite(slope)) throw new RangeError(`no slope for ${name} from ${points.length} windows`);
    return { name, perHour: Number((slope * 3_600_000).toFixed(3)) };
  });
}
