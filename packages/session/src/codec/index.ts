export { bytesOf } from "../bytes.js";
export type { Answering, Asking, CallCodec, Calls, ClientCapabilities } from "../call.js";
export { joinTextBlocks } from "../join-text-blocks.js";
export { fitsAsJson, JSON_CHARACTER_BYTES, jsonBytes } from "../json-bytes.js";
export { jsonCopy, type MeasuredCopy, measuredCopy } from "../json-copy.js";
export type { LazyState } from "../lazy-state.js";
export { createLazyState } from "../lazy-state.js";
export { mirroredState, repeatsMirror } from "../mirrored-state.js";
export { AUTHOR } from "../slice/prompts.js";
export { splitEvent } from "../split-event.js";
export type { StateEventsOptions } from "../state-events.js";
export { stateEvents } from "../state-events.js";
export { toBase64 } from "../terminal-bytes.js";
export type { SettingCall } from "./calls.js";
export { neededCapability, settingCall } from "./calls.js";
export type {
  AgentCodec,
  AnsweredCalls,
  AskedCalls,
  CallTable,
  ClientCodec,
  Codec,
  Encoder,
  StatesAround,
} from "./codec.js";
export {
  seedAgentCodec,
  seedClientCodec,
  seedCodec,
  v1AgentCodec,
  v1ClientCodec,
  v1Codec,
  v2AgentCodec,
  v2ClientCodec,
  v2Codec,
} from "./dialects.js";
export { ImpliedTurns } from "./implied-turns.js";
export type { EventsAround } from "./implied-updates.js";
export { ImpliedUpdates } from "./implied-updates.js";
export type { Loss, LossRow, OnLoss } from "./losses.js";
export { losses } from "./losses.js";
export { optionChange } from "./option-events.js";
export {
  isPassing,
  isPieceBefore,
  isPlaceless,
  mayBegin,
  newestPrompt,
  repeatsStart,
} from "./replay-start.js";
export type { AskAgent, PromptAnswer } from "./translated-turns.js";
export type { Translator, TranslatorOptions } from "./translator.js";
export { createTranslator } from "./translator.js";
export type { TurnUpdates, WorkEnd } from "./turn-updates.js";
export type { CallHandlers, HandlersFor, NamedCall, WireRequest } from "./wire-handlers.js";
export { callReaders, wireCalls, wireHandlers, wireRequest } from "./wire-handlers.js";
