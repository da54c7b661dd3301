import type { KeyStore } from "@whence/storage";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "../context.ts";
import { requireKey } from "../viewer.ts";
import type { BodyPlaces } from "./body-places.ts";
import { refuseWhenReserved } from "./refuse-when-reserved.ts";

/** What happens before the body of an upload is read; a limit on the rate fits between the two. */
export function beforeUpload(context: HttpContext<KeyStore>, bodies: BodyPlaces) {
  return {
    identify: async (request: FastifyRequest): Promise<void> => {
      request.principal = await requireKey(context, request);
    },
    takePlace: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      await refuseWhenReserved(context, reply, "inputs");
      const { scopeId } = request.principal ?? (await requireKey(context, request));
      bodies.take(request, reply, scopeId);
    },
  };
}
