import { DateTime, Duration, Interval } from 'luxon';

export function week(occurrences, from, zone) {
  const start = DateTime.fromISO(from, { zone });
  const days = Interval.fromDateTimes(start, start.plus({ weeks: 1 })).splitBy({ days: 1 });
  return days.map((day) => {
    const inside = occurrences.filter(({ at }) => day.contains(DateTime.fromJSDate(at)));
    return { title: day.start.setLocale('en').toFormat('cccc d LLLL'), lines: inside.map((each) => line(each, zone)) };
  });
}

function line({ title, at, minutes }, zone) {
  const start = DateTime.fromJSDate(at, { zone });
  const length = Duration.fromObject({ minutes }).shiftTo('hours', 'minutes');
  const end = start.plus(length);
  if (!end.isValid || end.diff(start, 'minutes').minutes !== minutes) throw new Error(`${title} ends at ${end.toISO()}`);
  return `${start.toFormat('HH:mm')}-${end.toLocaleString(DateTime.TIME_24_SIMPLE)} ${title} (${length.toHuman()})`;
}
