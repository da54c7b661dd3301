import { setTimeout } from 'node:timers/promises';
import { handle } from './src/handle.mjs';

const forms = [
  { name: 'ada-king', mail: 'ada@example.com', phone: '+44 20 7946' },
  { name: `${'abcdefghij'.repeat(4)}!`, mail: 'bo@example.com' },
  { name: 'cy', mail: `cy.${'longlonglong'.repeat(4)}#example.com` },
  { name: 'di', mail: `di@${'examplesub'.repeat(4)}` },
  { name: 'ed', mail: 'ed@example.com', phone: `${'1234567890'.repeat(4)}x` },
];
for (const form of forms) {
  await setTimeout(150);
  console.log(JSON.stringify(handle({ path: '/accounts', body: JSON.stringify(form) })));
}
