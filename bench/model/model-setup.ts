import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { InstallationModel } from "../../services/analyzer/src/models/model-in-use.ts";
import { type ScriptedServer, startScriptedServer } from "../../services/analyzer/test/model-run/scripted-server.ts";
import { readConfig } from "../../services/server/src/config.ts";
import { modelVariables } from "../../services/server/src/model-variables.ts";
import { type IsRight, isScriptedModel, type ScriptedModelName, scriptedModels } from "./scripted-models.ts";

/** The options of every benchmark that can ask a model. */
export const modelOptions = {
  /** Asks the model that the variables `WHENCE_MODEL_…` configure, and prints the difference to the engine alone. */
  model: { type: "boolean", default: false },
  /** With `--model`: asks a scripted one on this machine instead, `wrong`, `mixed`, `silent`, or `failing`. */
  scripted: { type: "string" },
} as const;

/** By how many points a model that is always wrong may lower a figure. */
export const lossMax = 2;

/** The values of {@link modelOptions}. */
export interface ModelChoice {
  readonly model: boolean;
  readonly scripted?: string | undefined;
}

/** A model that is configured, and the script of a scripted one. */
export interface ModelSetup extends AsyncDisposable {
  readonly model: InstallationModel;
  readonly allowedNetworks: readonly string[];
  /** What configures it beside the environment of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly scripted: ScriptedModelName | null;
  /** Sets what the scripted model must not answer; nothing for a real one. */
  avoid(isRight: IsRight): void;
}

/** Prices of no provider, so that a cost is printed. */
const scriptedPriceUsd = "1";

/** The variables that keep a service from asking any model. */
export const noModel: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(modelVariables).map((name) => [name, ""]),
);

/**
 * Returns the wanted model; null when none is asked. `pauseMs` is how long a scripted one takes for an answer. Throws a
 * one-line message when the variables configure none, and for an unknown script.
 */
export async function setUpModel({ model, scripted }: ModelChoice, pauseMs = 0): Promise<ModelSetup | null> {
  if (!model && scripted === undefined) return null;
  if (scripted !== undefined) return setUpScripted(scripted, pauseMs);
  const nothing = { scripted: null, avoid: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  return { ...configuredBy({}), ...nothing };
}

async function setUpScripted(name: string, pauseMs: number): Promise<ModelSetup> {
  if (!isScriptedModel(name))
    throw new Error(`--scripted takes ${Object.keys(scriptedModels).join(", ")}, not ${name}`);
  let isRight: IsRight = () => false;
  const script = scriptedModels[name]((one) => isRight(one));
  const server = await startScriptedServer("openai-compatible", async (asked) => {
    if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
    return script(asked);
  });
  return {
    ...configuredBy(variablesOf(server, name)),
    scripted: name,
    avoid: (next) => {
      isRight = next;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function configuredBy(
  variables: Readonly<Record<string, string>>,
): Pick<ModelSetup, "model" | "allowedNetworks" | "variables"> {
  const { installationModel: model, allowedNetworks } = readConfig({ ...env, ...variables }, "all");
  if (!model)
    throw new Error("--model asks the model that WHENCE_MODEL_PROVIDER and its variables configure: set them");
  return { model, allowedNetworks, variables };
}

/** Only what leads to the server: whatever else is configured here isn't asked. */
function variablesOf({ url }: ScriptedServer, scripted: ScriptedModelName): Record<string, string> {
  return {
    ...noModel,
    WHENCE_MODEL_PROVIDER: "openai-compatible",
    WHENCE_MODEL_NAME: scripted,
    WHENCE_MODEL_BASE_URL: `${url}/v1`,
    WHENCE_MODEL_INPUT_USD_PER_MILLION: scriptedPriceUsd,
    WHENCE_MODEL_OUTPUT_USD_PER_MILLION: scriptedPriceUsd,
    WHENCE_ALLOWED_NETWORKS: "127.0.0.1/32",
  };
}
