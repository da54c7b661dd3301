import { createReminders } from './src/reminders.mjs';

const reminders = createReminders();
const jobs = [
  ['plain', { to: 'ada@example.com', text: 'Pay invoice 1' }],
  ['urgent', { to: 'bo@example.com', text: 'Pay invoice 2', cc: ['boss@example.com'] }],
  ['plain', { to: 'cy@example.com', text: 'Pay invoice 3' }],
  ['tenant', { to: 'di@example.com', text: 'Hello', tenant: 'north' }],
  ['plain', { to: 'ed@example.com', text: 'Pay invoice 4' }],
  ['tenant', { to: 'fi@example.com', text: 'Hello', tenant: 'south' }],
  ['history', {}],
];
for (const [kind, input] of jobs) {
  try {
    console.log(kind, JSON.stringify(reminders.send(kind, input)));
  } catch (error) {
    console.error(`${kind} failed`, error);
    process.exitCode = 1;
  }
}
