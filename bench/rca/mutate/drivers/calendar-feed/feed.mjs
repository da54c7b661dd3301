import ICAL from 'ical.js';

export function readFeed(text) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const rule = component.getFirstPropertyValue('rrule');
    return {
      id: event.uid,
      title: event.summary,
      start: event.startDate.toJSDate(),
      minutes: event.duration.toSeconds() / 60,
      rule: rule ? rule.toString() : null,
      guests: event.attendees.map((guest) => guest.getParameter('cn') ?? guest.getFirstValue()),
    };
  });
}
