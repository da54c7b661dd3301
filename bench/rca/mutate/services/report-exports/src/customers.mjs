import { pool } from './pool.mjs';

export async function customerNames(region) {
  const connection = await pool.acquire();
  try {
    if (region === undefined) return [];
    return await connection.query(`customers_${region}`);
  } finally {
    pool.release(connection);
  }
}

export async function customerCount() {
  const connection = await pool.acquire();
  const rows = await connection.query('customers');
  pool.release(connection);
  return rows.length;
}
