import { layout } from './layout.mjs';
import { chart, treemap } from './chart.mjs';
import { shares } from './shares.mjs';

const { nodes, order, width } = layout([['web', 'api'], ['api', 'db'], ['api', 'cache'], ['web', 'cdn'], ['jobs', 'db'], ['cron', 'jobs']]);
const rows = nodes.map(({ id, x }, index) => ({ id, x, on: new Date(Date.UTC(2025, index, 3)), value: 3 + ((index * 7) % 5) }));
const { path, ticks, labels } = chart(rows, width);
const boxes = treemap(rows);
const parts = shares(rows.map(({ value }) => value));
if (boxes.some(({ x1, x0 }) => !(x1 > x0)) || path.split('L').length + path.split('C').length < 4) throw new Error(`drew ${path}`);
console.log(order[0].toUpperCase(), ticks.map((tick) => tick.toFixed(1)).join(), labels[0].split(' ')[1], boxes[0].id.padEnd(4), parts.text.slice(0, 20), parts.rest.toString());
