export type { SessionLog } from "@turnkit/agent";
export type { Channel, CloseReason, Diagnostic } from "@turnkit/transport";
export type { Engine, Ownership } from "./engine.js";
export type { Gateway, GatewayConnection } from "./gateway.js";
export { createGateway } from "./gateway.js";
export type { GatewayLimits, GatewayOptions } from "./gateway-options.js";
export type { MemoryEngineOptions } from "./memory-engine.js";
export { createMemoryEngine } from "./memory-engine.js";
export type { Principal } from "./principal.js";
