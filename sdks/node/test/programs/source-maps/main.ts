import { createRequire } from "node:module";
import { totalOf } from "./cart.ts";

interface Sdk {
  init(options: { apiKey: string; endpoint: string | undefined }): void;
}

const sdk: Sdk | undefined = process.env.WHENCE_SDK
  ? createRequire(`${process.cwd()}/`)(process.env.WHENCE_SDK)
  : undefined;
sdk?.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });

function checkout(id: number): void {
  console.log(totalOf({ id, items: null }));
}

checkout(31);
