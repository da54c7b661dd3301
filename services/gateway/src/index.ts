export { type GatewayOptions, gatewayRoutes } from "./app.ts";
export { gatewayErrors } from "./errors.ts";
export { type GatewayMetrics, gatewayMetrics } from "./metrics.ts";
export { startPulse } from "./pulse.ts";
export { type WriterMetrics, writerMetrics } from "./writer/metrics.ts";
export { startWriter, type Writer } from "./writer/writer.ts";
