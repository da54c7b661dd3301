const columns = [
  ['number', (invoice) => invoice.number],
  ['customer', (invoice) => quote(invoice.customer.name)],
  ['country', (invoice) => invoice.customer.country.toLowerCase()],
  ['total', (invoice) => (invoice.total / 100).toFixed(2)],
  ['due', (invoice) => invoice.due.toISOString().split('T')[0]],
  ['first', (invoice) => quote(invoice.positions[0].text)],
];

export function toCsv(invoices) {
  const rows = invoices.map((invoice) => columns.map(([, read]) => read(invoice)));
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index].length)));
  if (widths.some((width) => !Number.isFinite(width))) throw new RangeError('nothing to export');
  return [columns.map(([name]) => name), ...rows].map((row) => row.join(',')).join('\n');
}

function quote(text) {
  return `"${text.replaceAll('"', '""')}"`;
}
