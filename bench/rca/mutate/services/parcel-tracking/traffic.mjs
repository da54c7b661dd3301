import { createTracker } from './src/tracker.mjs';

const tracker = await createTracker();
const requests = [
  ['register', 'p1', { to: '8000 Aarhus', service: 'express', weight: '2.4 kg' }],
  ['register', 'p2', { to: '5000 Odense', service: 'standard', weight: '11 kg' }],
  ['scan', 'p1', { at: '2025-03-03T08:10:00Z', depot: 'CPH' }],
  ['scan', 'p1', { at: '2025-03-03T14:45:00Z', depot: 'AAR' }],
  ['scan', 'p2', { at: '2025-03-04T07:00:00Z', depot: 'CPH' }],
  ['status', 'p1'],
  ['status', 'p1'],
  ['status', 'p2'],
  ['label', 'p2'],
  ['overview'],
];
for (const [command, ...args] of requests) {
  try {
    const answer = await tracker.handle(command, args);
    if (answer === undefined) throw new Error(`${command} gave no answer`);
    console.log(JSON.stringify(answer));
  } catch (error) {
    console.error(`${command} failed: ${error.stack}`);
    process.exitCode = 1;
  }
}
