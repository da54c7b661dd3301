import { pool } from './pool.mjs';

export async function record(event) {
  const connection = await pool.acquire();
  try {
    await connection.query(`audit_${event}`);
  } finally {
    pool.release(connection);
  }
}
