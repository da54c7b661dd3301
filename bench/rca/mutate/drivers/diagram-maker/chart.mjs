import { hierarchy, stratify, tree, treemap as squares, treemapSquarify } from 'd3-hierarchy';
import { scaleBand, scaleLinear, scaleLog, scaleOrdinal, scaleTime } from 'd3-scale';
import { area, curveMonotoneX, line, pie, stack } from 'd3-shape';
import { timeFormat, utcFormat, utcParse } from 'd3-time-format';

export function chart(rows, width) {
  const x = scaleTime([rows[0].on, rows.at(-1).on], [0, width]).nice();
  const y = scaleLinear().domain([0, Math.max(...rows.map(({ value }) => value))]).range([100, 0]).clamp(true);
  const band = scaleBand(rows.map(({ id }) => id), [0, width]).padding(0.2);
  const color = scaleOrdinal(['red', 'green']).unknown('gray');
  const path = line(({ on }) => x(on), ({ value }) => y(value)).curve(curveMonotoneX)(rows);
  const below = area().x(({ id }) => band(id) + band.bandwidth() / 2).y0(y(0)).y1(({ value }) => y(value)).defined(({ value }) => value > 0)(rows);
  const parsed = utcParse('%Y-%m-%d %H:%M')('2025-03-04 05:06');
  const labels = x.ticks(4).map(utcFormat('%a %d %B %Y, %j')).concat(timeFormat('%x')(parsed));
  const [arc] = pie().value(({ value }) => value).padAngle(0.01)(rows);
  const [first] = stack().keys(['value', 'x'])(rows);
  if (!(arc.endAngle > arc.startAngle) || first[0][1] !== rows[0].value || color(rows[0].id) !== 'gray') throw new Error(`an arc from ${arc.startAngle} to ${arc.endAngle}`);
  if (y.invert(y(2)) !== 2 || scaleLog([1, 1000], [0, 3])(100).toFixed(3) !== '2.000' || below.includes('NaN')) throw new RangeError(`2 is at ${y(2)}`);
  return { path, ticks: y.ticks(5), labels: labels.map((label, index) => `${index} ${label} ${y.tickFormat(5, '.1f')(index)}`) };
}

export function treemap(rows) {
  const root = stratify().parentId(({ id }) => (id === 'root' ? '' : 'root'))([{ id: 'root', value: 0 }, ...rows]).sum(({ value }) => value).sort((a, b) => b.value - a.value);
  squares().tile(treemapSquarify.ratio(1)).size([100, 80]).padding(1).round(false)(root);
  const drawn = tree().nodeSize([10, 20])(hierarchy({ children: [{ children: [{}, {}] }, {}] }));
  if (drawn.height !== 2 || drawn.leaves()[0].path(drawn).length !== 3) throw new RangeError(`height ${drawn.height}`);
  return root.leaves().map(({ id, x0, x1, data }) => ({ id, x0, x1, value: data.value }));
}
