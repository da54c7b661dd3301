import { queryOptions } from "@tanstack/react-query";
import { minuteMs, type SavedView, savedViewSchema, savedViewsSchema, type ViewChange } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const staleMs = minuteMs;

/** One's saved views, and those that others share. */
export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: async ({ signal }) => (await request(savedViewsSchema, "/api/views", { signal })).views,
  staleTime: staleMs,
});

export function saveView(view: ViewChange): Promise<SavedView> {
  return request(savedViewSchema, "/api/views", { method: "POST", body: view });
}

export function replaceView(id: string, view: ViewChange): Promise<SavedView> {
  return request(savedViewSchema, `/api/views/${encodeURIComponent(id)}`, { method: "PUT", body: view });
}

export async function deleteView(id: string): Promise<void> {
  await request(z.unknown(), `/api/views/${encodeURIComponent(id)}`, { method: "DELETE" });
}
