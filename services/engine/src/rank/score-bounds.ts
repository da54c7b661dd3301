/** The highest and lowest confidence of a report. */
export const scoreMax = 0.95;
export const scoreMin = 0.05;
