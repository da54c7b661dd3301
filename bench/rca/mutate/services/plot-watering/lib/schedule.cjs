const { options } = require('./options.cjs');

const msPerDay = 24 * 60 * 60 * 1000;
const entries = [];

exports.plan = (plot, at) => {
  if (entries.length >= options.schedule.maxEntries) throw new Error(`schedule can't hold more than ${entries.length} entries`);
  const days = (at - Date.now()) / msPerDay;
  if (days > options.schedule.horizonDays) throw new RangeError(`${plot} is planned ${Math.round(days)} days ahead`);
  entries.push({ plot, at });
  return entries.length;
};

exports.planIn = (plot, hours) => exports.plan(plot, Date.now() + hours * 3_600_000);
