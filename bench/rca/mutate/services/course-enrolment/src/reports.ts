import type { Enrolment } from './enrolments.ts';
import type { Marks } from './grades.ts';

export function reportOf(student: string, enrolments: Enrolment[], marks: Marks[]): string {
  const lines = enrolments.map(({ course, since }) => {
    const own = marks.find((one) => one.course === course);
    const result = own ? `${own.average().toFixed(1)} (best ${own.best()})` : 'no marks';
    return `${course} since ${since.getUTCFullYear()}: ${result}`;
  });
  return `${student}: ${lines.join(', ')}`;
}
