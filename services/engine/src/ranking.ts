export { type FirstRanked, type MayBeFirst, mayBeFirst } from "./may-be-first.ts";
export {
  type Calibration,
  type Departures,
  learnedModel,
  leastAhead,
  type RankingModel,
  rankingModelSchema,
  withOdds,
} from "./rank/model.ts";
export {
  readServiceModel,
  type ServiceModel,
  type ServiceWeights,
  shippedServiceModel,
} from "./rank/service-model.ts";
export { viewOf } from "./rank/sight.ts";
export { type FeatureRow, rankingFeatures } from "./ranking-features.ts";
export { type ServiceFeatures, serviceFeatures, type WeighedSuspects } from "./service-features.ts";
export { families } from "./signals/families.ts";
