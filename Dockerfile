# syntax=docker/dockerfile:1
# One image for every role. The services run their TypeScript directly, so the image keeps the workspace's layout.

FROM node:26-bookworm-slim AS dependencies
WORKDIR /whence
RUN npm install --global pnpm@12
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml .pnpmfile.mjs ./
COPY sdks/protocol/package.json sdks/protocol/
COPY services/storage/package.json services/storage/
COPY services/gateway/package.json services/gateway/
COPY services/engine/package.json services/engine/
COPY services/vendors/package.json services/vendors/
COPY services/analyzer/package.json services/analyzer/
COPY services/server/package.json services/server/
# `--no-optional` leaves the embedded ClickHouse engine out: 290 MB of packages instead of 880, for a fleet alone.
ARG INSTALL_FLAGS=
RUN pnpm install --prod --frozen-lockfile ${INSTALL_FLAGS} --filter "@whence/server..."

# The web application and the documentation, as files: what builds them is not in the image.
FROM node:26-bookworm-slim AS web
WORKDIR /whence
RUN npm install --global pnpm@12
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml .pnpmfile.mjs tsconfig.base.json ./
COPY sdks/protocol/package.json sdks/protocol/
COPY services/web/package.json services/web/
COPY docs/package.json docs/
RUN pnpm install --frozen-lockfile --filter "@whence/web..." --filter @whence/docs
COPY sdks/protocol/tsconfig.json sdks/protocol/
COPY sdks/protocol/src sdks/protocol/src
COPY services/web services/web
RUN node services/web/build.ts
COPY CONTRIBUTING.md SECURITY.md ./
COPY sdks/agent/README.md sdks/agent/
COPY sdks/mcp/README.md sdks/mcp/
COPY sdks/node/README.md sdks/node/
COPY sdks/python/README.md sdks/python/
COPY docs docs
RUN node docs/build.ts

# The clients that the service serves, as tarballs.
FROM node:26-bookworm-slim AS clients
WORKDIR /whence
RUN npm install --global pnpm@12
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml .pnpmfile.mjs tsconfig.base.json ./
COPY sdks/protocol/package.json sdks/protocol/
COPY sdks/node/package.json sdks/node/
COPY sdks/agent/package.json sdks/agent/
COPY sdks/mcp/package.json sdks/mcp/
COPY sdks/python/package.json sdks/python/
RUN pnpm install --frozen-lockfile --filter whence-workspace --filter "./sdks/*"
COPY LICENSE LICENSE
COPY sdks sdks
RUN node sdks/tarballs/build.ts

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 WHENCE_DATA_DIR=/data
WORKDIR /whence
COPY --from=dependencies /whence ./
COPY sdks/protocol/src sdks/protocol/src
COPY services/storage/src services/storage/src
COPY services/gateway/src services/gateway/src
COPY services/engine/src services/engine/src
COPY services/vendors/src services/vendors/src
COPY services/analyzer/src services/analyzer/src
COPY services/server/src services/server/src
COPY --from=web /whence/services/web/dist services/web/dist
COPY --from=web /whence/docs/.vitepress/dist docs/.vitepress/dist
COPY --from=clients /whence/sdks/tarballs/dist sdks/tarballs/dist
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# PID 1 is Node itself, so that SIGTERM reaches it and it drains.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--conditions=@whence/source", "services/server/src/main.ts"]
CMD ["serve", "--role", "all"]
