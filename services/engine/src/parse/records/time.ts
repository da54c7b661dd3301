/** The years that a log can be from; a number outside them isn't a time. */
const earliest = Date.UTC(2000);
const latest = Date.UTC(2100);
/** The units that loggers count time in, per second. */
const perSecond = [1, 1e3, 1e6, 1e9];
const zoned = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d\d:?\d\d)$/;
const common = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;
/** `Saturday 21 November, 2026 02:56:10 UTC`, as in emails of Amazon CloudWatch. */
const written = /^(?:[A-Z][a-z]{5,8} )?(\d{1,2}) ([A-Z][a-z]{2})[a-z]{0,6},? (\d{4}) (\d\d:\d\d:\d\d) UTC$/;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Returns a time as RFC 3339 in UTC, from RFC 3339 and similar forms, the common log format, or a count of seconds,
 * milliseconds, microseconds, or nanoseconds since 1970. Null when the year or zone is missing.
 */
export function readTime(value: unknown): string | null {
  if (typeof value === "number") return fromCount(value);
  if (typeof value !== "string" || value.length > 50) return null;
  return (
    fromZoned(value) ??
    fromCommon(value) ??
    fromWritten(value) ??
    (/^\d{10,19}(?:\.\d{1,9})?$/.test(value) ? fromCount(Number(value)) : null)
  );
}

function fromZoned(value: string): string | null {
  const parts = zoned.exec(value);
  if (!parts) return null;
  const zone = parts[4] === "UTC" ? "Z" : (parts[4] ?? "Z").replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  return within(Date.parse(`${parts[1]}T${parts[2]}.${(parts[3] ?? "0").slice(0, 3)}${zone}`));
}

function fromCommon(value: string): string | null {
  const parts = common.exec(value);
  const month = months.indexOf(parts?.[2] ?? "") + 1;
  if (!parts || month === 0) return null;
  return within(
    Date.parse(`${parts[3]}-${String(month).padStart(2, "0")}-${parts[1]}T${parts[4]}${parts[5]}:${parts[6]}`),
  );
}

function fromWritten(value: string): string | null {
  const parts = written.exec(value);
  const month = months.indexOf(parts?.[2] ?? "") + 1;
  if (!parts || month === 0) return null;
  const day = `${parts[3]}-${String(month).padStart(2, "0")}-${(parts[1] ?? "").padStart(2, "0")}`;
  return within(Date.parse(`${day}T${parts[4]}Z`));
}

function fromCount(value: number): string | null {
  for (const unit of perSecond) {
    const milliseconds = (value / unit) * 1_000;
    if (milliseconds >= earliest && milliseconds < latest) return within(milliseconds);
  }
  return null;
}

function within(milliseconds: number): string | null {
  return milliseconds >= earliest && milliseconds < latest ? new Date(milliseconds).toISOString() : null;
}
