declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    readonly dom_id: string;
    readonly url: string;
    readonly validatorUrl: string | null;
    readonly deepLinking: boolean;
    /** How many levels of the schema list are expanded; 0 is collapsed. */
    readonly defaultModelsExpandDepth: number;
  }
  /** Renders the interactive API reference in an element. */
  export default function showReference(options: Options): void;
}
