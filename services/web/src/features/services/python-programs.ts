import type { Program, SnippetValues } from "./program.ts";

const python = { ending: "py", install } as const;

/** pip asks whether it may trust a host without TLS, except on this machine. */
function install({ endpoint }: SnippetValues): string {
  const { protocol, hostname } = new URL(endpoint);
  const command = `pip install --index-url ${endpoint}/sdk/simple whence`;
  const isTrusted = protocol === "https:" || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return isTrusted ? command : `${command} --trusted-host ${hostname}`;
}

const init = ({ service, endpoint }: SnippetValues): string =>
  [
    "whence.init(",
    '    api_key=os.environ["WHENCE_API_KEY"],',
    `    service=${JSON.stringify(service)},`,
    `    endpoint=${JSON.stringify(endpoint)},`,
    "    redact=whence.CREDENTIAL_HEADERS,",
    ")",
  ].join("\n");

/** The programs that the Python client is for. */
export const pythonPrograms = {
  python: { ...python, name: "Any Python program", start: "python -m whence run app.py", code: null },
  flask: {
    ...python,
    name: "Flask",
    start: "flask --app app run",
    code: (values: SnippetValues) => `import os

import whence
from flask import Flask
from whence.frameworks.flask import whence_flask

${init(values)}

app = Flask(__name__)
whence_flask(app)`,
  },
  fastapi: {
    ...python,
    name: "FastAPI",
    start: "uvicorn app:app",
    code: (values: SnippetValues) => `import os

import whence
from fastapi import FastAPI
from whence.frameworks.asgi import WhenceMiddleware

${init(values)}

app = FastAPI()
app.add_middleware(WhenceMiddleware)`,
  },
  django: {
    ...python,
    name: "Django",
    start: "python manage.py runserver",
    code: (values: SnippetValues) => `# settings.py
import os

import whence

${init(values)}

MIDDLEWARE = [
    "whence.frameworks.django.WhenceMiddleware",  # before all others
    # …
]`,
  },
} as const satisfies Readonly<Record<string, Program>>;
