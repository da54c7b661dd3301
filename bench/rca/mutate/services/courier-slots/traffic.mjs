import { setTimeout as wait } from 'node:timers/promises';
import { Gate } from './src/gate.mjs';
import { noteFor } from './src/notes.mjs';
import { settings } from './src/settings.mjs';
import { sign, verify } from './src/signatures.mjs';
import { reserve } from './src/slots.mjs';

const gate = new Gate(settings.gate);
const attempt = async (what, work) => {
  try {
    console.log(what, JSON.stringify(await work()));
  } catch (error) {
    console.error(`${what} failed`, error);
    process.exitCode = 1;
  }
};
for (const hour of ['10:00', '11:00'])
  await Promise.all(['Elm 1', 'Oak 7', 'Ash 3', 'Fir 9', 'Yew 2', 'Bay 4', 'Ivy 5'].map((address) => attempt('slot', () => gate.run(() => reserve(hour, address)))));
await wait(600);
await attempt('slot', () => reserve('12:00', 'Elm 2'));
await attempt('sign', () => verify(sign('p-1')));
await attempt('note', () => noteFor('p-1', 'ring twice '.repeat(90)));
