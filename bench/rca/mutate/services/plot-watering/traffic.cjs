const { openValve } = require('./lib/valves.cjs');
const { plan, planIn } = require('./lib/schedule.cjs');
const { water } = require('./lib/watering.cjs');

const attempt = async (what, work) => {
  try {
    console.log(what, await work());
  } catch (error) {
    console.error(`${what} failed`, error);
    process.exitCode = 1;
  }
};
(async () => {
  await Promise.all(['beans', 'peas', 'kale', 'leek'].map((plot) => attempt('water', () => water(plot))));
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((plot) => attempt('valve', () => openValve(`bed ${plot}`, 5))));
  await new Promise((done) => setTimeout(done, 2100));
  await attempt('water', () => water('mint'));
  for (let hour = 1; hour <= 10; hour++) await attempt('plan', () => planIn('kale', hour));
  await attempt('plan', () => plan('peas', Date.now() + 3 * 86_400_000));
})();
