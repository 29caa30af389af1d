export { isAlive, processDeath } from "./process-death.js";
export type { Wire } from "./wire.js";
export { createWire, WirePeer } from "./wire.js";
