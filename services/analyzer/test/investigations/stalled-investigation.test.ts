import type { ControlDb } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

const scopeId = "org_stalled";
const errorLog = "TypeError: Cannot read properties of undefined (reading 'total')\n    at f (/app/src/render.js:3:27)";

/** No consumer is running: each attempt is made by the test. */
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe("an analyzer that was stalled past its hold", () => {
  const attempt = (number: number) => ({ id: "m1", number, signal: new AbortController().signal });

  /** Stalls an investigation at its first read, until it is woken. */
  function stalling(): { handle: ReturnType<typeof investigationHandler>; stalled: Promise<void>; wake: () => void } {
    const [reached, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { control, metrics, events } = service;
    const stalledControl: ControlDb = {
      ...control,
      scope: (id) => {
        const scope = control.scope(id);
        const input = async (incidentId: string) => {
          reached.resolve();
          await woken.promise;
          return scope.incidents.input(incidentId);
        };
        return { ...scope, incidents: { ...scope.incidents, input } };
      },
    };
    const handle = investigationHandler({ control: stalledControl, events, metrics, clock: Date.now, logger: silent });
    return { handle, stalled: reached.promise, wake: woken.resolve };
  }

  /** An incident whose first attempt has stalled; `ended` resolves when that attempt is over. */
  async function stalledAttempt() {
    const { incidents } = service.control.scope(scopeId);
    const { id } = await incidents.open(incidentFromText(await askedText(errorLog, []), null, new Date()));
    const message = { incident_id: id, scope_id: scopeId };
    const late = stalling();
    const ended = late.handle(message, attempt(1));
    await late.stalled;
    return { incidents, id, message, wake: late.wake, ended };
  }

  it("changes nothing when it wakes up after another has finished", async () => {
    const { incidents, id, message, wake, ended } = await stalledAttempt();
    await investigationHandler({ ...service, clock: Date.now, logger: silent })(message, attempt(2));
    const [finished, steps] = [await incidents.find(id), await incidents.steps(id, 0)];
    expect(finished?.status).toBe("completed");
    wake();
    await ended;
    expect(await incidents.find(id)).toEqual(finished);
    expect(await incidents.steps(id, 0)).toEqual(steps);
  });

  it("changes nothing while another is in the middle", async () => {
    const { incidents, id, wake, ended } = await stalledAttempt();
    const second = (await incidents.begin(id, new Date())) ?? 0;
    const step = { seq: 1, at: new Date().toISOString(), step: "parse", detail: "of the second" } as const;
    await incidents.addStep(id, second, step);
    wake();
    await ended;
    expect(await incidents.steps(id, 0)).toEqual([step]);
    expect((await incidents.find(id))?.status).toBe("investigating");
  });
});
