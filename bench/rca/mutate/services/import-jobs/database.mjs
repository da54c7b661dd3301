import { DatabaseSync } from 'node:sqlite';

const schema = `
  create table contacts (mail text primary key, name text not null, born text not null, balance real not null);
  create table parts (sku text primary key, stock integer not null, net real not null, currency text not null);
`;

export function openDatabase(path) {
  const db = new DatabaseSync(path);
  db.exec(schema);
  const statements = new Map();

  function prepare(sql) {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  }

  return {
    transaction(work) {
      db.exec('begin');
      try {
        work();
        db.exec('commit');
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    upsert(table, key, row) {
      const names = Object.keys(row);
      const changes = names.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`);
      const sql = `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})
        on conflict (${key}) do update set ${changes.join(', ')}`;
      prepare(sql).run(row);
    },
    all: (table, sort) => prepare(`select * from ${table} order by ${sort}`).all(),
    one: (table, key, value) => prepare(`select * from ${table} where ${key} = ?`).get(value),
    summary: () => prepare('select count(*) as contacts, sum(balance) as balance from contacts').get(),
    close: () => db.close(),
  };
}
