import type { FastifyInstance } from "fastify";
import { findOrder } from "./order-store.ts";
import { placeOrder, type Wanted } from "./place-order.ts";

const orderBodySchema = {
  type: "object",
  required: ["sku", "quantity"],
  properties: {
    sku: { type: "string" },
    quantity: { type: "integer", minimum: 1 },
    address: { type: "object" },
  },
};

/** Everything that the service answers. */
export function orderRoutes(app: FastifyInstance): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.post<{ Body: Wanted }>("/orders", { schema: { body: orderBodySchema } }, async (request, reply) => {
    const order = await placeOrder(request.body);
    if (order === "sold-out") return reply.code(409).send({ error: `${request.body.sku} is sold out` });
    return reply.code(201).send(order);
  });

  app.get<{ Params: { id: string } }>("/orders/:id", async (request, reply) => {
    const order = await findOrder(request.params.id);
    return order ?? reply.code(404).send({ error: "no such order" });
  });
}
