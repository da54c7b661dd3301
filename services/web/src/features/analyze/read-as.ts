import type { AnalysisPreview } from "@whence/protocol";

const languageNames: Readonly<Record<string, string>> = {
  javascript: "JavaScript",
  python: "Python",
  jvm: "JVM",
  go: "Go",
  ruby: "Ruby",
  php: "PHP",
  dotnet: ".NET",
  rust: "Rust",
  elixir: "Elixir",
  dart: "Dart",
  native: "native",
};

/** Returns what a text was recognized as: `Read as a JavaScript error, with 12 log lines.` */
export function readAs({
  kind,
  exceptions,
  alert_system: system,
  records,
}: Pick<AnalysisPreview, "kind" | "exceptions" | "alert_system" | "records">): string {
  const language = exceptions[0]?.language ?? null;
  const name = language === null ? null : (languageNames[language] ?? language);
  const what = {
    error: name === null ? "an error" : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name} error`,
    alert: `an alert from ${system ?? "a monitoring system"}`,
    log: "log lines without an error",
    text: "a description in words",
  }[kind];
  const beside = kind === "log" ? "" : `, with ${records} log ${records === 1 ? "line" : "lines"}`;
  return `Read as ${what}${records === 0 ? "" : beside}.`;
}
