import {
  inputValuesSchema,
  installationModelChangeSchema,
  isSecretInput,
  type ModelChange,
  type ModelCheck,
  type ModelProvider,
  type ModelStatus,
  modelChangeSchema,
  modelCheckSchema,
  modelPromptListSchema,
  modelProviders,
  modelRunListSchema,
  modelStatusSchema,
} from "@whence/protocol";
import type { AuditScope, ModelScope, Scoped } from "@whence/storage";
import { VendorFailure } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { type CheckedModel, checkModel, requireOpenable, toCheck } from "../../models/check-model.ts";
import { costOf } from "../../models/cost.ts";
import { modelInUse, modelStatus, usageOfToday, usedUp } from "../../models/model-in-use.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { memberCaller, requireMember, requireOwner } from "../viewer.ts";

/** Investigations in a list. */
const runsMax = 100;
const idLengthMax = 60;

const runsQuerySchema = z.object({ incident_id: z.string().max(idLengthMax).optional() });

const operations = {
  read: {
    operationId: "get_model",
    tags: ["model"],
    summary: "Get the language model that investigations use, without credentials, and what it used",
    response: { 200: modelStatusSchema },
  },
  replace: {
    operationId: "replace_model",
    tags: ["model"],
    summary: "Connect a language model, or replace its settings",
    body: modelChangeSchema,
    response: { 200: modelStatusSchema },
    errors: ["WHENCE_ERR_MODEL_REFUSED"],
  },
  remove: {
    operationId: "remove_model",
    tags: ["model"],
    summary: "Disconnect the organization's language model and delete its credentials",
    response: { 200: modelStatusSchema },
    errors: ["WHENCE_ERR_MODEL_NOT_CONNECTED"],
  },
  installation: {
    operationId: "use_installation_model",
    tags: ["model"],
    summary: "Use the operator's model where the organization has none of its own, or don't",
    body: installationModelChangeSchema,
    response: { 200: modelStatusSchema },
  },
  check: {
    operationId: "check_model",
    tags: ["model"],
    summary: "Ask the language model one short question",
    response: { 200: modelCheckSchema },
    errors: [
      "WHENCE_ERR_MODEL_NOT_CONNECTED",
      "WHENCE_ERR_MODEL_CHECK_FAILED",
      "WHENCE_ERR_MODEL_BUDGET_USED_UP",
      "WHENCE_ERR_RATE_LIMITED",
    ],
  },
  runs: {
    operationId: "list_model_runs",
    tags: ["model"],
    summary: "List the newest 100 investigations with a language model, or those of one incident",
    querystring: runsQuerySchema,
    response: { 200: modelRunListSchema },
  },
  prompts: {
    operationId: "list_model_prompts",
    tags: ["model"],
    summary: "List the prompts of an investigation exactly as they were sent, for 30 days",
    response: { 200: modelPromptListSchema },
    errors: ["WHENCE_ERR_MODEL_RUN_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<Scoped<ModelScope & AuditScope>>;

/**
 * The language model of an organization: members see its settings and use, never a credential; owners connect, check,
 * and disconnect it, and read what was sent.
 */
export function modelRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  settingsRoutes(app, context);
  checkRoute(app, context, rateLimits);
  recordRoutes(app, context);
}

function settingsRoutes(app: FastifyInstance, context: Context): void {
  const { control, clock } = context;

  app.get("/api/model", { ...byMember, schema: operations.read }, async (request): Promise<ModelStatus> => {
    const { organizationId } = await requireMember(context, request);
    return modelStatus(organizationId, context);
  });

  app.put("/api/model", { ...byOwner, schema: operations.replace }, async (request): Promise<ModelStatus> => {
    requireSameOrigin(request, context);
    const change = parse(modelChangeSchema, request.body, "body");
    const owner = await requireOwner(context, request);
    const { organizationId, userId: id, name } = owner;
    const inputs = await completeInputs(context, organizationId, change);
    const opening = requireOpenable({ provider: change.provider, name: change.name, inputs }, context.integrations);
    await orAnswer(opening, "WHENCE_ERR_MODEL_REFUSED");
    const { model } = control.scope(organizationId);
    await model.write({ ...change, inputs }, { id, name }, new Date(clock()));
    await recordChange(context, owner, "model.connected", `${modelProviders[change.provider].label} ${change.name}`);
    return modelStatus(organizationId, context);
  });

  app.delete("/api/model", { ...byOwner, schema: operations.remove }, async (request): Promise<ModelStatus> => {
    requireSameOrigin(request, context);
    const owner = await requireOwner(context, request);
    const { model } = control.scope(owner.organizationId);
    const name = await model.remove();
    if (name === null) throw analyzerErrors.create("WHENCE_ERR_MODEL_NOT_CONNECTED");
    await recordChange(context, owner, "model.disconnected", name);
    return modelStatus(owner.organizationId, context);
  });

  app.put(
    "/api/model/installation",
    { ...byOwner, schema: operations.installation },
    async (request): Promise<ModelStatus> => {
      requireSameOrigin(request, context);
      const { use } = parse(installationModelChangeSchema, request.body, "body");
      const owner = await requireOwner(context, request);
      const { organizationId, userId: id, name } = owner;
      const { model } = control.scope(organizationId);
      const isRefused = (await model.refusal()) !== null;
      if (use) await model.accept();
      else await model.refuse({ id, name }, new Date(clock()));
      if (use === isRefused)
        await recordChange(context, owner, use ? "model.accepted" : "model.refused", "installation");
      return modelStatus(organizationId, context);
    },
  );
}

/** A check costs tokens of a key that may be the operator's, so it is bounded and counted as investigations are. */
function checkRoute(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  app.post(
    "/api/model/check",
    { ...byOwner, schema: operations.check },
    async (request, reply): Promise<ModelCheck> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      request.caller = memberCaller(owner);
      await rateLimits.modelCheck(request, reply);
      const checked = await checkWithinBudget(context, owner.organizationId);
      if (checked.failure) throw analyzerErrors.create("WHENCE_ERR_MODEL_CHECK_FAILED", [checked.failure.message]);
      return toCheck(checked);
    },
  );
}

async function checkWithinBudget(context: Context, scopeId: string): Promise<CheckedModel> {
  const inUse = await modelInUse(scopeId, context);
  if (!inUse) throw analyzerErrors.create("WHENCE_ERR_MODEL_NOT_CONNECTED");
  const { settings, inputs } = inUse;
  const { provider, name, prices, budget } = settings;
  const spent = usedUp(budget, await usageOfToday(scopeId, context));
  if (spent !== null)
    throw analyzerErrors.create("WHENCE_ERR_MODEL_BUDGET_USED_UP", [spent === "tokens" ? "tokens" : "US dollars"]);
  const startedAt = new Date(context.clock());
  const checked = await orAnswer(
    checkModel({ provider, name, inputs }, context.integrations),
    "WHENCE_ERR_MODEL_CHECK_FAILED",
  );
  const { inputTokens, outputTokens } = checked;
  if (inputTokens + outputTokens === 0) return checked;
  context.metrics.modelTokens.inc({ direction: "input" }, inputTokens);
  context.metrics.modelTokens.inc({ direction: "output" }, outputTokens);
  await context.control.scope(scopeId).model.recordCheck({
    started_at: startedAt.toISOString(),
    cost_usd: costOf(checked, prices),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  });
  return checked;
}

/** Answers with what is wrong with a model, as an error of this code. */
async function orAnswer<Result>(
  work: Promise<Result>,
  code: "WHENCE_ERR_MODEL_REFUSED" | "WHENCE_ERR_MODEL_CHECK_FAILED",
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof VendorFailure ? analyzerErrors.create(code, [error.message]) : error;
  }
}

/** What models did, and what was sent to them. */
function recordRoutes(app: FastifyInstance, context: Context): void {
  const { control } = context;

  app.get(
    "/api/model/runs",
    { ...byMember, schema: operations.runs },
    async (request): Promise<z.infer<typeof modelRunListSchema>> => {
      const { organizationId } = await requireMember(context, request);
      const { incident_id: incidentId = null } = parse(runsQuerySchema, request.query, "query");
      return { runs: [...(await control.scope(organizationId).model.runs({ incidentId, limit: runsMax }))] };
    },
  );

  app.get<{ Params: { readonly id: string } }>(
    "/api/model/runs/:id/prompts",
    { ...byOwner, schema: operations.prompts },
    async (request): Promise<z.infer<typeof modelPromptListSchema>> => {
      const { organizationId } = await requireOwner(context, request);
      const prompts = await control.scope(organizationId).model.prompts(request.params.id);
      if (!prompts)
        throw analyzerErrors.create("WHENCE_ERR_MODEL_RUN_UNKNOWN", [request.params.id.slice(0, idLengthMax)]);
      return { prompts: [...prompts] };
    },
  );
}

/**
 * Adds stored credentials that weren't entered again. They stay with the provider and address that they were entered
 * for.
 */
async function completeInputs(
  { control }: Context,
  scopeId: string,
  { provider, inputs: entered }: ModelChange,
): Promise<Record<string, string>> {
  const { inputs }: ModelProvider = modelProviders[provider];
  const before = await control.scope(scopeId).model.read();
  const isSame =
    before?.settings.provider === provider &&
    inputs.every((input) => isSecretInput(input) || before.inputs[input.name] === entered[input.name]);
  const stored = isSame ? before.inputs : {};
  const secretNames = inputs.filter(isSecretInput).map(({ name }) => name);
  const kept = Object.entries(stored).filter(([name]) => secretNames.includes(name));
  return parse(inputValuesSchema(inputs), { ...Object.fromEntries(kept), ...entered }, "body");
}
