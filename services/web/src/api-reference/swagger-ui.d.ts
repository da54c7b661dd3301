declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface System {
    /** The one that renders the reference. */
    readonly React: Pick<typeof import("react"), "createElement">;
  }
  type Wrapped = (original: string, system: System) => (props: { readonly text?: string }) => unknown;
  interface Options {
    readonly dom_id: string;
    readonly url: string;
    readonly validatorUrl: string | null;
    readonly deepLinking: boolean;
    /** How many levels of the schema list are expanded; 0 is collapsed. */
    readonly defaultModelsExpandDepth: number;
    /** Components that replace its own, by name. */
    readonly plugins: readonly { readonly wrapComponents: Readonly<Record<string, Wrapped>> }[];
    /** Runs once the document is shown. */
    readonly onComplete: () => void;
  }
  /** Renders the interactive API reference in an element. */
  export default function showReference(options: Options): void;
}
