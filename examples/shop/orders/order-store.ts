import { type Order, pool } from "./database.ts";

/** Keeps a paid order. */
export async function insertOrder(order: Order): Promise<void> {
  const connection = await pool.acquire();
  try {
    await connection.insertOrder(order);
  } finally {
    pool.release(connection);
  }
}

/** The order, or undefined if there is none of that id. */
export async function findOrder(id: string): Promise<Order | undefined> {
  const connection = await pool.acquire();
  try {
    return await connection.findOrder(id);
  } finally {
    pool.release(connection);
  }
}
