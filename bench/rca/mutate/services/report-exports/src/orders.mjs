import { pool } from './pool.mjs';

export async function orderTotals() {
  const connection = await pool.acquire();
  try {
    const rows = await connection.query('orders');
    return rows.map(({ cents }) => cents / 100);
  } finally {
    pool.release(connection);
  }
}
