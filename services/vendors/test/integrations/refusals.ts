import { hourMs } from "@whence/protocol";
import { expect, it } from "vitest";
import type { Integration, VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorAnswerOf } from "../http/vendor-server.ts";
import { question } from "./question.ts";

interface Refusing {
  readonly integration: Integration;
  readonly inputs: Readonly<Record<string, string>>;
  /** How the vendor says that too much was asked, to be tried again in an hour after the double's noon. */
  readonly limited: VendorAnswerOf;
}

const { signal } = new AbortController();

/** A vendor that refuses everything: what each refusal is for people, and that none of them has a credential in it. */
export function itKeepsRefusals({ integration, inputs, limited }: Refusing): void {
  const refusals: readonly (readonly [string, VendorAnswerOf, object])[] = [
    ["401", { status: 401 }, { reason: "unauthorized" }],
    ["403", { status: 403 }, { reason: "forbidden" }],
    ["its rate limit", limited, { reason: "rate-limited", retryAfterMs: hourMs }],
    ["500", { status: 500 }, { reason: "unavailable" }],
    ["what is no JSON", { body: "<html>" }, { reason: "unexpected-answer" }],
    ["another shape", { body: { hello: 1 } }, { reason: "unexpected-answer" }],
  ];
  it.each(refusals)("keeps the reason of %s, without the credential", async (_name, answer, expected) => {
    const vendor = await startVendorServer();
    vendor.answer(() => answer);
    const connection = integration.connect(inputs, vendor.context);
    try {
      for (const asked of [() => connection.verify(signal), () => askOf(connection)]) {
        const failure = await asked().then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure).toMatchObject(expected);
        expect(Object.values(inputs).filter((input) => String(failure).includes(input))).toEqual([]);
      }
    } finally {
      await connection.close();
      await vendor.close();
    }
  });
}

const askOf = (connection: VendorConnection): Promise<unknown> => connection.ask(question, signal);
