/** The only environment whose failures open incidents (specification, Events, rule 1). */
export const monitoredEnv = "PROD";
