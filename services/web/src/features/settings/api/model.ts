import { queryOptions } from "@tanstack/react-query";
import {
  type ModelChange,
  type ModelCheck,
  type ModelStatus,
  modelCheckSchema,
  modelPromptListSchema,
  modelRunListSchema,
  modelStatusSchema,
} from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** The language model, without credentials, and what it used. */
export const modelQuery = queryOptions({
  queryKey: ["settings", "model"],
  queryFn: ({ signal }) => request(modelStatusSchema, "/api/model", { signal }),
});

/** The newest investigations with a model. */
export const modelRunsQuery = queryOptions({
  queryKey: ["settings", "model", "runs"],
  queryFn: ({ signal }) => request(modelRunListSchema, "/api/model/runs", { signal }),
});

/** The prompts of an investigation, as they were sent. */
export const modelPromptsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["settings", "model", "runs", runId],
    queryFn: ({ signal }) => request(modelPromptListSchema, `/api/model/runs/${runId}/prompts`, { signal }),
  });

/** Connects a model, or replaces its settings. */
export function connectModel(body: ModelChange): Promise<ModelStatus> {
  return request(modelStatusSchema, "/api/model", { method: "PUT", body });
}

/** Removes the organization's model with its credentials. */
export function disconnectModel(): Promise<ModelStatus> {
  return request(modelStatusSchema, "/api/model", { method: "DELETE" });
}

/** Turns the operator's model on or off for the organization. */
export function switchOperatorsModel(use: boolean): Promise<ModelStatus> {
  return request(modelStatusSchema, "/api/model/installation", { method: "PUT", body: { use } });
}

/** Asks the model one short question. */
export function checkModel(): Promise<ModelCheck> {
  return request(modelCheckSchema, "/api/model/check", { method: "POST" });
}
