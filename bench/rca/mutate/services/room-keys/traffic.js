import { issue, move, rename } from './src/keys.js';

async function ask(what, work) {
  try {
    console.log(what, await work());
  } catch (error) {
    if (error.status) {
      console.log(what, error.status, error.message);
      return;
    }
    console.error(what, error);
    process.exitCode = 1;
  }
}

await ask('issue', () => issue('g1'));
await ask('issue', () => issue('g9'));
await ask('issue', () => issue('g2'));
await ask('move', () => move('g2', '14'));
await ask('move', () => move('g2', '99'));
await ask('move', () => move('g8', '14'));
await ask('rename', () => rename('g1', { name: ' Iris B. ' }));
await ask('rename', () => rename('g1'));
await ask('rename', () => rename('g7', { name: 'Max' }));
await ask('issue', () => issue('g2'));
