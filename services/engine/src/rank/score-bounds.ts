/** No report is surer or less sure than this. */
export const scoreMax = 0.95;
export const scoreMin = 0.05;
