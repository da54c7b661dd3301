import { expand } from './expand.mjs';
import { readFeed } from './feed.mjs';
import { week } from './week.mjs';

const feed = `BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:standup-1
DTSTART:20250303T090000Z
DTEND:20250303T091500Z
RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=9
SUMMARY:Standup
ATTENDEE;CN=Ada:mailto:ada@example.org
END:VEVENT
BEGIN:VEVENT
UID:review-7
DTSTART;VALUE=DATE:20250306
DURATION:P1D
SUMMARY:Review\\, quarterly
END:VEVENT
END:VCALENDAR`;

const events = readFeed(feed);
const occurrences = events.flatMap((event) => expand(event));
const days = week(occurrences, '2025-03-03', 'Europe/Paris');
for (const day of days) console.log(day.title, day.lines.join('; '));
console.log(days[0].lines[0].toUpperCase(), days.at(-1).title.length);
