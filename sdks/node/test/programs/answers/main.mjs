// The same service, with its packages as ES modules.
import { ask } from "./ask.cjs";
import services from "./services.cjs";

const [, , framework, ...packages] = process.argv;
const loaded = await Promise.all(packages.map((name) => import(name)));
const hasNames = !["express", "koa", "fastify"].includes(framework);
ask(await services[framework](...loaded.map((module) => (hasNames ? module : module.default))));
