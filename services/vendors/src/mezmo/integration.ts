import { minuteMs, type OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { readPages } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import { epochMilliseconds } from "../integrations/epoch-times.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { readLine } from "../integrations/line-text.ts";
import { type LogLine, repeatedLines } from "../integrations/repeated-lines.ts";
import { serviceNames } from "../integrations/service-names.ts";

const inputsSchema = z.object({ service_key: z.string() });

/** https://docs.mezmo.com/docs/search and Mezmo's own command line, https://github.com/mezmo/cli, LogLine */
const lineSchema = z.object({
  _ts: epochMilliseconds,
  _line: z.string().nullish(),
  _app: z.string().nullish(),
  _host: z.string().nullish(),
  level: z.string().nullish().catch(undefined),
});

type MezmoLine = z.infer<typeof lineSchema>;

/** https://docs.mezmo.com/reference/about-the-export-api, version 2 */
const exportSchema = z.object({ lines: z.array(lineSchema).nullish(), pagination_id: z.string().nullish() });

const perPage = 200;
const verifiedMs = minuteMs;
const levels = ["error", "err", "fatal", "crit", "emerg", "alert", "panic", "severe"];
const words = ["error", "exception", "fatal", "panic"];

/** Mezmo, formerly LogDNA: error lines around the failure. https://docs.mezmo.com/log-analysis-api/ref */
export const mezmo: Integration = {
  kind: "logs",
  vendor: "Mezmo",
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { service_key: key } = inputsSchema.parse(inputs);
    const baseUrl = vendorAddress("https://api.mezmo.com", context);
    const http = openVendorHttp({ ...context, vendor: "Mezmo", baseUrl, headers: { servicekey: key } });
    return {
      async verify(signal) {
        const now = context.clock();
        const query = { from: now - verifiedMs, prefer: "tail", size: 1, to: now };
        await exported(http, query, 1, signal);
        return "Log Analysis";
      },
      async ask(about, signal) {
        const query = {
          from: Date.parse(about.from),
          prefer: "tail",
          query: searchFor(about),
          size: perPage,
          to: Date.parse(about.to),
        };
        const lines = await exported(http, query, vendorLimits.pagesMax, signal);
        return linesOf(lines, about);
      },
      close: () => http.close(),
    };
  },
};

type ExportQuery = Readonly<Record<string, string | number>>;

/** Uses version 2 of the export, which has pages, or version 1 for a plan without it. */
async function exported(
  http: VendorHttp,
  query: ExportQuery,
  pages: number,
  signal: AbortSignal,
): Promise<MezmoLine[]> {
  try {
    return await pagesOf(http, query, pages, signal);
  } catch (error) {
    const hasNone = error instanceof VendorFailure && error.reason === "not-found";
    if (!hasNone) throw error;
  }
  const texts = await http.lines({ path: "/v1/export", query }, perPage, signal);
  return texts.flatMap((text) => {
    const line = lineSchema.safeParse(parseBoundedJson(text));
    return line.success ? [line.data] : [];
  });
}

function pagesOf(http: VendorHttp, query: ExportQuery, pages: number, signal: AbortSignal): Promise<MezmoLine[]> {
  const read = async (next: string | null, own: AbortSignal) => {
    const asked = { path: "/v2/export", query: { ...query, pagination_id: next ?? undefined }, schema: exportSchema };
    const { lines, pagination_id: following } = (await http.json(asked, own)).body;
    return { items: lines ?? [], next: lines?.length ? (following ?? null) : null };
  };
  return readPages(read, signal, pages);
}

/** https://docs.mezmo.com/docs/search: lists and terms match prefixes, in any case; OR binds more tightly than AND. */
function searchFor(about: FailureQuestion): string {
  const names = [...serviceNames(about), about.host].map(term).filter((name) => name !== "");
  const sources = names.flatMap((name) => [`app:${name}`, `host:${name}`]);
  const trouble = `(level:[${levels.join(",")}] OR ${words.join(" OR ")})`;
  return sources.length === 0 ? trouble : `${trouble} (${sources.join(" OR ")})`;
}

/** Quotes a name unless it is plain; quotation marks can't be escaped. */
function term(name: string): string {
  const bare = name.replaceAll(/["'\\]/g, "");
  return /^[\w.-]*$/.test(bare) ? bare : `"${bare}"`;
}

function linesOf(lines: readonly MezmoLine[], about: FailureQuestion): OutsideFinding[] {
  const read = lines.map(({ _ts, _line, _app, _host, level }): LogLine => {
    const said = readLine(_line ?? "");
    return {
      level: level?.toLowerCase() ?? said.level,
      message: said.message,
      source: _app ?? _host ?? null,
      at: _ts,
      url: null,
    };
  });
  return repeatedLines("Mezmo", read, about);
}
