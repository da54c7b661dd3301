import { parseAmount, parseDay } from './fields.mjs';

function readContacts(text) {
  const [header, ...lines] = text.trim().split('\n');
  const names = header.split(';');
  const rejected = [];
  const rows = lines.flatMap((line, index) => {
    const values = line.split(';');
    if (values.length !== names.length) {
      rejected.push({ line: index + 2, reason: `${values.length} of ${names.length} values` });
      return [];
    }
    const record = Object.fromEntries(names.map((name, column) => [name, values[column]]));
    return [{ name: record.name, mail: record.mail, born: parseDay(record.born), balance: parseAmount(record.balance) }];
  });
  return { rows, rejected };
}

function readParts(text) {
  const list = JSON.parse(text);
  const rows = list.map(({ sku, stock, price }) => ({ sku, stock: Number(stock), net: price.net, currency: price.currency }));
  return { rows, rejected: [] };
}

export const readers = {
  contacts: { read: readContacts, save: (db, row) => db.upsert('contacts', 'mail', row) },
  parts: { read: readParts, save: (db, row) => db.upsert('parts', 'sku', row) },
};
