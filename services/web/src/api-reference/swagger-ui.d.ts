declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    readonly dom_id: string;
    readonly url: string;
    readonly validatorUrl: string | null;
    readonly deepLinking: boolean;
    /** How far the list of schemas is open; 0 is closed. */
    readonly defaultModelsExpandDepth: number;
  }
  /** Shows the interactive description of an HTTP interface in an element. */
  export default function showReference(options: Options): void;
}
