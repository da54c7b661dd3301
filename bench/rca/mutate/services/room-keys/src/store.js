const tables = {
  guests: new Map([['g1', { id: 'g1', name: 'Iris', room: '12' }], ['g2', { id: 'g2', name: 'Jon', room: null }]]),
  rooms: new Map([['12', { number: '12', locks: ['door'] }], ['14', { number: '14', locks: ['door', 'balcony'] }]]),
};

export async function find(table, id) {
  return tables[table].get(id) ?? null;
}

export async function save(table, id, row) {
  tables[table].set(id, row);
}
