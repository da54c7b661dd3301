import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ConfiguredModel, ModelBudget, Models, ModelUse } from "../../src/models/models.ts";
import { type Script, startScriptedServer, type Turn, type Wire } from "./scripted-server.ts";

/** What the models of a scope can do today. */
interface Day {
  readonly isUsedUp?: boolean;
  /** Whether no use can be recorded. */
  readonly isUnwritable?: boolean;
  readonly budget?: Partial<ModelBudget>;
}

/** A script that may wait before it answers. */
export type WaitingScript = (...asked: Parameters<Script>) => Turn | Promise<Turn>;

/** A scripted model as a scope's models. */
export interface LoopbackProvider {
  readonly models: Models;
  readonly uses: readonly ModelUse[];
  readonly requests: readonly string[];
  play(script: WaitingScript, day?: Day): void;
  close(): Promise<void>;
}

const usual: ModelBudget = { tokens: 200_000, costUsd: null, withinMs: 5_000 };

export async function startProvider(wire: Wire): Promise<LoopbackProvider> {
  let script: WaitingScript = () => ({ text: "" });
  const uses: ModelUse[] = [];
  let [isUsedUp, isUnwritable] = [false, false];
  let budget = usual;
  const { url, requests, close } = await startScriptedServer(wire, (asked) => script(asked));
  const configured: ConfiguredModel = {
    ...{ provider: wire, name: "scripted", budget: usual, costUsd: () => 0.01 },
    model: modelOf(wire, url),
    failureOf: () => {
      throw new Error("a model run says why it failed on its own");
    },
    failureOfFinish: () => null,
    close: async () => undefined,
  };
  return {
    ...{ uses, requests, close },
    models: {
      configured: async () => (isUsedUp ? "budget_used_up" : { ...configured, budget }),
      record: async (_, use) => {
        uses.push(use);
        if (isUnwritable) throw new Error("the database is gone");
      },
    },
    play(next, day = {}) {
      script = next;
      requests.length = 0;
      uses.length = 0;
      ({ isUsedUp = false, isUnwritable = false } = day);
      budget = { ...usual, ...day.budget };
    },
  };
}

function modelOf(wire: Wire, url: string): ConfiguredModel["model"] {
  return wire === "anthropic"
    ? createAnthropic({ apiKey: "k", baseURL: `${url}/v1` })("scripted")
    : createOpenAICompatible({ name: "loopback", baseURL: `${url}/v1`, includeUsage: true })("scripted");
}
