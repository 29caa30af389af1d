export type { Engine, Ownership } from "../engine.js";
export type { Figures } from "../figures.js";
export type { JetStreamEngine, JetStreamEngineOptions } from "./jetstream-engine.js";
export { createJetStreamEngine } from "./jetstream-engine.js";
export { checkServerVersion } from "./server-version.js";
