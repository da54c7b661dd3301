import { run } from './src/tasks.mjs';

const kinds = ['locate', 'refuel', 'inspect', 'refuel', 'locate', 'inspect', 'refuel', 'locate', 'inspect'];
for (const [index, kind] of kinds.entries()) {
  try {
    console.log(JSON.stringify(await run({ kind, vehicle: 'van-1', liters: (index % 3) * 10 })));
  } catch (error) {
    console.error(`${kind} failed`, error);
    process.exitCode = 1;
  }
}
