import { Catalog } from './catalog.ts';
import { Enrolments } from './enrolments.ts';
import { Grades } from './grades.ts';
import { reportOf } from './reports.ts';
import { timetableOf } from './timetable.ts';

export function openSchool(clock: () => Date) {
  const catalog = new Catalog();
  const enrolments = new Enrolments(catalog, clock);
  const grades = new Grades();

  async function enrol(student: string, course: string) {
    const enrolment = await enrolments.add(student, course);
    return `${enrolment.student} in ${enrolment.course} since ${enrolment.since.toLocaleDateString('en-GB', { timeZone: 'UTC' })}`;
  }

  async function timetable(student: string) {
    const mine = await enrolments.of(student);
    const courses = await Promise.all(mine.map(({ course }) => catalog.course(course)));
    return timetableOf(courses).join('; ');
  }

  async function report(student: string) {
    const [mine, marks] = await Promise.all([enrolments.of(student), grades.of(student)]);
    return reportOf(student, mine, marks);
  }

  return {
    enrol,
    timetable,
    report,
    grade: (student: string, course: string, marks: number[]) => grades.add(student, course, marks),
    waiting: async (course: string) => (await enrolments.waitingFor(course)).size,
  };
}
