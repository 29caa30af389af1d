export type { Wire } from "./wire.js";
export { createWire, WirePeer } from "./wire.js";
