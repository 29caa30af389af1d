export { createGate } from "./gate.js";
export { createWire, WirePeer } from "./wire.js";

export type { Gate } from "./gate.js";
export type { Frame, Wire } from "./wire.js";
