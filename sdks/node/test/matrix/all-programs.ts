import type { MatrixProgram } from "./matrix-program.ts";
import { apollo } from "./programs/apollo.ts";
import { bullmq } from "./programs/bullmq.ts";
import { esbuildBundle, rollupBundle } from "./programs/bundles.ts";
import { express4 } from "./programs/express-4.ts";
import { express5 } from "./programs/express-5.ts";
import { expressGenerator } from "./programs/express-generator.ts";
import { fastify } from "./programs/fastify.ts";
import { fastifyCli } from "./programs/fastify-cli.ts";
import { hono } from "./programs/hono.ts";
import { jsonServer } from "./programs/json-server.ts";
import { koa } from "./programs/koa.ts";
import { moleculer } from "./programs/moleculer.ts";
import { nest, nestFilter } from "./programs/nest.ts";
import { nestMicroservice, nestSchedule } from "./programs/nest-jobs.ts";
import { next } from "./programs/next.ts";
import { nitro } from "./programs/nitro.ts";
import { nodeHttp } from "./programs/node-http.ts";
import { nodeRed } from "./programs/node-red.ts";
import { trpc } from "./programs/trpc.ts";
import { tsx } from "./programs/tsx.ts";
import { verdaccio } from "./programs/verdaccio.ts";
import { yoga } from "./programs/yoga.ts";

/** In the order of the page. */
export const allPrograms: readonly MatrixProgram[] = [
  nodeHttp,
  express4,
  express5,
  fastify,
  koa,
  hono,
  nest,
  nestFilter,
  nestSchedule,
  nestMicroservice,
  apollo,
  yoga,
  trpc,
  jsonServer,
  expressGenerator,
  fastifyCli,
  moleculer,
  tsx,
  esbuildBundle,
  rollupBundle,
  bullmq,
  next,
  nitro,
  nodeRed,
  verdaccio,
];
