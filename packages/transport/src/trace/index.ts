export { isSecretName, redactSecrets, redactText } from "./redact.js";
export type { TapEvent, TapOptions } from "./tap.js";
export { tapChannel } from "./tap.js";
export type { RecordOptions, WireEntry } from "./wire-log.js";
export { readWireLog, recordChannel } from "./wire-log.js";
export type { PlayOptions, WirePlayer } from "./wire-player.js";
export { createWirePlayer } from "./wire-player.js";
