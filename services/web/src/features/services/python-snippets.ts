import type { PythonKind, SnippetValues } from "./program-kinds.ts";

/** The command that starts a program of each kind. */
export const pythonStart: Readonly<Record<PythonKind, string>> = {
  python: "python -m whence run app.py",
  flask: "flask --app app run",
  fastapi: "uvicorn app:app",
  django: "python manage.py runserver",
};

/** Returns the code to add to a Python program; null where none is needed. */
export function pythonCode(kind: PythonKind, { service, endpoint }: SnippetValues): string | null {
  const init = [
    "whence.init(",
    '    api_key=os.environ["WHENCE_API_KEY"],',
    `    service=${JSON.stringify(service)},`,
    `    endpoint=${JSON.stringify(endpoint)},`,
    "    redact=whence.CREDENTIAL_HEADERS,",
    ")",
  ].join("\n");
  switch (kind) {
    case "python":
      return null;
    case "flask":
      return `import os

import whence
from flask import Flask
from whence.frameworks.flask import whence_flask

${init}

app = Flask(__name__)
whence_flask(app)`;
    case "fastapi":
      return `import os

import whence
from fastapi import FastAPI
from whence.frameworks.asgi import WhenceMiddleware

${init}

app = FastAPI()
app.add_middleware(WhenceMiddleware)`;
    case "django":
      return `# settings.py
import os

import whence

${init}

MIDDLEWARE = [
    "whence.frameworks.django.WhenceMiddleware",  # before all others
    # …
]`;
  }
}
