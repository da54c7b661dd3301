import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { summarize } from './summary.mjs';

const input = `\ufefforder,region,"sold on",amount,note
1001, north ,2025-01-03,12.50,"first, order"
1002,south,2025-01-04,99.99,
# a comment
1003,north,2025-02-11,5.01,"said ""hi"""
1004,west,2025-02-28,1200,
`;

const rows = parse(input, {
  bom: true,
  columns: (header) => header.map((name) => name.replace(' ', '_')),
  comment: '#',
  trim: true,
  skip_empty_lines: true,
  cast: (value, { column }) => (column === 'order' ? Number(value) : value),
});
const summary = summarize(rows);
const text = stringify(summary, {
  header: true,
  columns: [{ key: 'region', header: 'Region' }, { key: 'total' }, { key: 'share' }, { key: 'months' }, { key: 'firstNote' }],
  quoted_string: true,
  cast: { boolean: (value) => (value ? 'yes' : 'no') },
});
const [header, ...lines] = text.trim().split('\n');
const again = parse(text, { columns: true });
if (again.length !== summary.length) throw new Error(`wrote ${summary.length} regions, read ${again.length}`);
console.log(header.split(',')[4].length, lines.map((line) => line.split(',')[1].padStart(10)).join('|'));
