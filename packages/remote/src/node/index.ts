export type { ListenLimits } from "./limits.js";
export { listen } from "./listen.js";
export type { Listening, ListenOptions } from "./listen-options.js";
