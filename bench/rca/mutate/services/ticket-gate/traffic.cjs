const { createGate } = require('./lib/gate.cjs');

async function main() {
  const gate = await createGate();
  const calls = [
    ['sell', { event: 'concert', name: 'Ada Byron', seats: ['A1', 'A2'] }],
    ['sell', { event: 'match', name: 'Bo Ek', seats: ['K9'] }],
    ['enter', { code: 'T-1', at: '2025-06-01T19:05:00Z' }],
    ['enter', { code: 'T-2', at: '2025-06-02T15:00:00Z' }],
    ['totals', {}],
    ['guest', { code: 'T-1' }],
    ['guest', { code: 'T-1' }],
    ['refund', { code: 'T-2' }],
  ];
  for (const [name, input] of calls) {
    const answer = await gate[name](input);
    console.log(name, answer);
    if (answer === undefined || answer === null) throw new Error(`${name} answered nothing`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
