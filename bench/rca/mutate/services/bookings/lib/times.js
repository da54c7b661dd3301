const minuteMs = 60 * 1000;

exports.addMinutes = (date, minutes) => {
  const result = new Date(date.getTime() + minutes * minuteMs);
  if (Number.isNaN(result.getTime())) throw new RangeError('not a time: ' + date + ' + ' + minutes);
  return result;
};

exports.overlaps = (a, b) => a.from < b.until && b.from < a.until;

exports.sameDay = (date, day) => date.toISOString().slice(0, 10) === day;

exports.hours = (slot) => (slot.until.getTime() - slot.from.getTime()) / minuteMs / 60;
