import rrule from 'rrule';

const { RRule, RRuleSet, rrulestr } = rrule;

export function expand(event) {
  if (event.rule === null) return [{ ...event, at: event.start }];
  const set = new RRuleSet();
  set.rrule(new RRule({ ...RRule.parseString(event.rule), dtstart: event.start }));
  set.exdate(new Date(Date.UTC(2025, 2, 10, 9, 0, 0)));
  const again = rrulestr(set.toString(), { forceset: true });
  const dates = again.between(new Date(Date.UTC(2025, 1, 1)), new Date(Date.UTC(2025, 11, 1)), true);
  if (dates.length !== 8) throw new RangeError(`expected 8 occurrences of ${event.title}, got ${dates.length}`);
  const text = new RRule({ freq: RRule.MONTHLY, interval: 2, byweekday: [RRule.FR.nth(-1)], count: 3 }).toText();
  console.log(text.split(' ').at(0), again.after(event.start, false).toISOString());
  return dates.map((at) => ({ ...event, at }));
}
