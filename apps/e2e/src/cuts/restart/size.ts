/** Number of updates of each prompt. */
export const UPDATES = 12;
