const { readFile } = require('node:fs/promises');
const path = require('node:path');

async function loadEvents() {
  const text = await readFile(path.join(__dirname, '../events.json'), 'utf8');
  const rows = JSON.parse(text);
  return new Map(rows.map((row) => [row.id, { ...row, starts: new Date(row.starts) }]));
}

module.exports = { loadEvents };
