import type { NextConfig } from "next";

const config: NextConfig = { serverExternalPackages: ["@whence/node"] };
export default config;
