export type { ConnectedPair, PairOptions } from "./connected-pair.js";
export { connectPair } from "./connected-pair.js";
export type { Dialect, PermissionQuestion } from "./dialect/dialect-frames.js";
export type { DraftForm, DraftFormOptions } from "./draft-forms.js";
export { draftForms } from "./draft-forms.js";
export { engineCases } from "./engine-cases.js";
export type { EngineCase, EngineSubject, EngineUnderTest, OwnershipUnderTest } from "./engine-under-test.js";
export type { ExpectationDetails, ExpectationErrorCode } from "./expectation-error.js";
export { ExpectationError, isExpectationError } from "./expectation-error.js";
export type { FaultKind, FaultPlan, InjectedFault } from "./fault-plan.js";
export type { ByteFaultPlan, BytePairFaults } from "./faulty-bytes.js";
export { createBytePair, createFaultyBytes } from "./faulty-bytes.js";
export type { FaultyChannel } from "./faulty-channel.js";
export { createFaultyChannel } from "./faulty-channel.js";
export type { Frame } from "./frame.js";
export type { Gate } from "./gate.js";
export { createGate } from "./gate.js";
export type {
  LogCase,
  LoggedEvent,
  LoggedSession,
  LogSubject,
  LogTools,
  LogUnderTest,
  LogWriterUnderTest,
} from "./log-under-test.js";
export type { ManualClock } from "./manual-clock.js";
export { installManualClock } from "./manual-clock.js";
export type { Pattern } from "./pattern.js";
export type { Random } from "./random.js";
export { createRandom } from "./random.js";
export type { RawPeer, RawPeerOptions } from "./raw-peer.js";
export { createRawPeer } from "./raw-peer.js";
export type { Scripted } from "./script-run.js";
export type { AgentScript, AgentStep } from "./scripted-agent.js";
export { createScriptedAgent } from "./scripted-agent.js";
export type { ClientScript, ClientStep } from "./scripted-client.js";
export { createScriptedClient } from "./scripted-client.js";
export { sessionLogCases } from "./session-log-cases.js";
export type { Answered, Known, Params, StandingAnswers, Step } from "./step.js";
export type { EntryPattern, Transcript, TranscriptOptions } from "./transcript.js";
export { createTranscript } from "./transcript.js";
export type { Side, TranscriptEntry } from "./transcript-entry.js";
