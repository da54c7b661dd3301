export { learnedModel, type RankingModel, rankingModelSchema } from "./rank/model.ts";
export { type FeatureRow, rankingFeatures } from "./ranking-features.ts";
export { decisiveKinds } from "./signals/code/ranking-features.ts";
