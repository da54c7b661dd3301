import type { Course } from './catalog.ts';

const order = ['mon', 'tue', 'wed', 'thu', 'fri'];

export function timetableOf(courses: readonly Course[]): string[] {
  const slots = courses.flatMap(({ id, lessons }) => [...lessons.entries()].map(([day, time]) => ({ id, day, time })));
  slots.sort((one, other) => order.indexOf(one.day) - order.indexOf(other.day) || one.time.localeCompare(other.time));
  return slots.map(({ id, day, time }) => `${day} ${time} ${id}`);
}
