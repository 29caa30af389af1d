export type { Gate } from "./gate.js";
export { createGate } from "./gate.js";
export type { Frame, Wire } from "./wire.js";
export { createWire, WirePeer } from "./wire.js";
