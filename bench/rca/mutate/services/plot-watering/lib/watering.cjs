const { litresFor } = require('./forecast.cjs');
const { Tank } = require('./tank.cjs');
const { inTurn } = require('./turns.cjs');
const { openValve } = require('./valves.cjs');

const tank = new Tank(14);
exports.water = (plot) =>
  inTurn(async () => {
    const litres = await litresFor(plot);
    if (!tank.has(litres)) return `${plot} stays dry`;
    await openValve(plot, litres / 0.5);
    return `${plot}: ${tank.drain(litres)} ml left`;
  });
