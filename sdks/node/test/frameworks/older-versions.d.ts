// Older versions without type declarations under their alias, used with those of the newer ones.
declare module "express-4";
declare module "hapi-20";
declare module "koa-2";
