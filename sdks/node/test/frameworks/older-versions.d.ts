// Older versions that bring no declarations under their alias: they are used as the newer ones.
declare module "express-4";
declare module "hapi-20";
declare module "koa-2";
