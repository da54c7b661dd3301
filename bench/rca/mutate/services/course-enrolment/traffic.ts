import { openSchool } from './src/school.ts';

const school = openSchool(() => new Date('2025-09-01T10:00:00Z'));
const steps: [string, () => Promise<unknown>][] = [
  ['enrol ada', () => school.enrol('ada', 'algebra')],
  ['enrol bo', () => school.enrol('bo', 'algebra')],
  ['enrol ada again', () => school.enrol('ada', 'history')],
  ['timetable ada', () => school.timetable('ada')],
  ['timetable bo', () => school.timetable('bo')],
  ['grades', () => school.grade('ada', 'algebra', [7, 10, 12])],
  ['report ada', () => school.report('ada')],
  ['report ada twice', () => school.report('ada')],
  ['waiting', () => school.waiting('algebra')],
];
for (const [name, step] of steps) {
  try {
    console.log(name, await step());
  } catch (error) {
    console.error(`${name}:`, error);
    process.exitCode = 1;
  }
}
