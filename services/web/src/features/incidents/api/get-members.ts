import { queryOptions } from "@tanstack/react-query";
import { minuteMs } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const membersMax = 1_000;
const staleMs = minuteMs;

const membersSchema = z.object({
  members: z.array(z.object({ userId: z.string(), user: z.object({ name: z.string(), email: z.string() }) })),
});

/** A member who can own an incident, or be mentioned. */
export interface Teammate {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The members of an organization. */
export const teammatesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["teammates", organizationId],
    queryFn: async ({ signal }): Promise<Teammate[]> => {
      const query = { organizationId, limit: membersMax };
      const { members } = await request(membersSchema, "/api/auth/organization/list-members", { query, signal });
      return members.map(({ userId: id, user }) => ({ id, ...user }));
    },
    staleTime: staleMs,
  });
