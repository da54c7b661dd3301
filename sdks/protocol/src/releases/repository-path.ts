import { z } from "zod";

const lengthMax = 300;

/** The path of a repository at a code host: `acme/shop`, `acme/backend/shop`. */
export const repositoryPathSchema = z
  .string()
  .trim()
  .max(lengthMax)
  .refine((path) => /^[\w.-]+(?:\/[\w.-]+)+$/.test(path), "it must be the path of a repository, such as acme/shop");
