import Big from 'big.js';
import chunk from 'lodash/chunk.js';
import cloneDeep from 'lodash/cloneDeep.js';
import get from 'lodash/get.js';
import groupBy from 'lodash/groupBy.js';
import isEqual from 'lodash/isEqual.js';
import mapValues from 'lodash/mapValues.js';
import merge from 'lodash/merge.js';
import orderBy from 'lodash/orderBy.js';
import template from 'lodash/template.js';
import uniqBy from 'lodash/uniqBy.js';

const sum = (amounts) => amounts.reduce((total, amount) => total.plus(amount), new Big(0));

export function summarize(rows) {
  const all = sum(rows.map((row) => row.amount));
  const totals = mapValues(groupBy(rows, 'region'), (sold, region) => {
    const total = sum(sold.map(({ amount }) => amount));
    return { region, total: total.toFixed(2), share: percent(total, all), months: months(sold), firstNote: get(sold, '[0].note', '-') };
  });
  const copy = merge(cloneDeep(totals), { north: { checked: { by: ['ada'] } } });
  if (isEqual(copy, totals)) throw new Error('the check was lost');
  console.log(copy.north.checked.by[0].length, chunk(rows, 3)[1][0].order.toFixed());
  console.log(template('<%= region %>: <%- total %>')(totals.north).split(': ')[1].length);
  return orderBy(Object.values(totals), [({ total }) => Number(total), 'region'], ['desc', 'asc']);
}

function percent(part, whole) {
  if (whole.eq(0)) return '0%';
  const share = part.div(whole).times(100).round(1);
  if (share.gt(100) || share.lt(0)) throw new RangeError(`a share of ${share}%`);
  return `${share.toString()}% of ${whole.sqrt().toPrecision(3)} ${part.pow(2).minus(1).abs().toFixed(1)}`;
}

function months(sold) {
  return uniqBy(sold, (row) => row.sold_on.slice(0, 7)).map((row) => row.sold_on.slice(5, 7)).join('+');
}
