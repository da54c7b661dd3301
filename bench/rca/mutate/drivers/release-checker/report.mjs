import Table from 'cli-table3';
import { getBorderCharacters, table } from 'table';

export function report(rows) {
  const pretty = new Table({ head: ['Package', 'Range', 'Best'], colWidths: [16, 20, 12], wordWrap: true, style: { head: [], border: [] }, colAligns: ['left', 'right', 'center'] });
  for (const { name, range, best } of rows) pretty.push([name, { content: range, hAlign: 'left' }, best]);
  pretty.push([{ colSpan: 3, content: `${rows.length} in all` }], [{ rowSpan: 2, content: 'end' }, 'a', 'b'], ['c\nd', 'e']);
  const text = pretty.toString();
  const plain = table([['Package', 'Change', 'License'], ...rows.map(({ name, change, license }) => [name, change, license])], { border: getBorderCharacters('ramac'), columns: { 0: { width: 8, wrapWord: true }, 1: { alignment: 'right', paddingLeft: 2 }, 2: { truncate: 6 } }, header: { alignment: 'center', content: 'All' }, drawHorizontalLine: (index, count) => index < 2 || index === count });
  const widths = new Set(text.split('\n').map((line) => line.length));
  if (widths.size !== 1 || new Set(plain.trim().split('\n').map((line) => line.length)).size !== 1) throw new RangeError(`lines of ${[...widths]} columns`);
  return text;
}
