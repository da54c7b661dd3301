import { queryOptions } from "@tanstack/react-query";
import {
  type AddAlertSource,
  type AddedAlertSource,
  type AlertSource,
  addedAlertSourceSchema,
  alertListSchema,
  alertSourceListSchema,
  alertSourceSchema,
  conversationListSchema,
} from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const base = "/api/alert-sources";
const pathOf = (id: string, part = ""): string => `${base}/${encodeURIComponent(id)}${part}`;
/** Polling interval while the person who sets up a sender waits for its first webhook. */
const everyMs = 3_000;

/** The organization's alert sources, without secrets. */
export const alertSourcesQuery = queryOptions({
  queryKey: ["settings", "alert-sources"],
  queryFn: ({ signal }) => request(alertSourceListSchema, base, { signal }),
  refetchInterval: everyMs,
});

/** The latest alerts of a source. */
export const alertsQuery = (id: string) =>
  queryOptions({
    queryKey: ["settings", "alert-sources", id],
    queryFn: ({ signal }) => request(alertListSchema, pathOf(id, "/alerts"), { signal }),
    refetchInterval: everyMs,
  });

/** The most recently changed conversations of a source. */
export const conversationsQuery = (id: string) =>
  queryOptions({
    queryKey: ["settings", "alert-sources", id, "conversations"],
    queryFn: ({ signal }) => request(conversationListSchema, pathOf(id, "/conversations"), { signal }),
    refetchInterval: everyMs,
  });

/** Only this response contains the generated secret of the source. */
export function addAlertSource(source: AddAlertSource): Promise<AddedAlertSource> {
  return request(addedAlertSourceSchema, base, { method: "POST", body: source });
}

/** Sets the inputs that the sender shows only once it has the source's URL. */
export function setAlertSourceInputs(id: string, inputs: Readonly<Record<string, string>>): Promise<AlertSource> {
  return request(alertSourceSchema, pathOf(id, "/inputs"), { method: "PUT", body: { inputs } });
}

/** Only this response contains the new secret. */
export function replaceAlertSourceSecret(id: string): Promise<AddedAlertSource> {
  return request(addedAlertSourceSchema, pathOf(id, "/secret"), { method: "POST" });
}

/** Sets whether the bot also answers where people outside the organization can read. */
export function setAlertSourceAudience(id: string, answersPublicly: boolean): Promise<AlertSource> {
  const body = { answers_publicly: answersPublicly };
  return request(alertSourceSchema, pathOf(id, "/audience"), { method: "PUT", body });
}

export async function removeAlertSource(id: string): Promise<void> {
  await request(z.unknown(), pathOf(id), { method: "DELETE" });
}
