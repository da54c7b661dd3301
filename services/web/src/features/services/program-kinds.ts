/** The kinds of programs that the first-run page has instructions for. */
export const nodeKinds = ["node", "express", "fastify"] as const;
export const pythonKinds = ["python", "flask", "fastapi", "django"] as const;
export const programKinds = [...nodeKinds, ...pythonKinds] as const;
export type NodeKind = (typeof nodeKinds)[number];
export type PythonKind = (typeof pythonKinds)[number];
export type ProgramKind = (typeof programKinds)[number];

export const programNames: Readonly<Record<ProgramKind, string>> = {
  node: "Any Node.js program",
  express: "Express",
  fastify: "Fastify",
  python: "Any Python program",
  flask: "Flask",
  fastapi: "FastAPI",
  django: "Django",
};

export interface SnippetValues {
  readonly key: string;
  readonly service: string;
  /** The URL of the service that shows the page. */
  readonly endpoint: string;
}

export function isNodeKind(kind: ProgramKind): kind is NodeKind {
  return nodeKinds.some((node) => node === kind);
}
