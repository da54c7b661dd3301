export { type RankingModel, rankingModelSchema } from "./rank/model.ts";
export { type FeatureRow, rankingFeatures } from "./ranking-features.ts";
