/** The least that is needed of a logger; Fastify's fits. */
export interface Logger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
