/** The part of a logger that is used; Fastify's fits. */
export interface Logger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
