import { pool } from "./database.ts";

/** Sets goods aside for an order; false when there are too few of them. */
export async function reserve(sku: string, quantity: number): Promise<boolean> {
  const connection = await pool.acquire();
  const available = await connection.stockOf(sku);
  if (available < quantity) return false;
  await connection.takeFromStock(sku, quantity);
  pool.release(connection);
  return true;
}
