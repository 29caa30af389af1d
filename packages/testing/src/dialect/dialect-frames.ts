import type { Frame } from "../frame.js";
import type { RawPeer } from "../raw-peer.js";

/** Dialect of the protocol: version 1, the Preview of version 2, or the draft of June 2026. */
export type Dialect = "v1" | "v2" | "seed";

/** Permission request, independent of the dialect. */
export type PermissionQuestion = {
  /** Title of the tool call. */
  readonly title: string;
  /** Id of the tool call. @defaultValue `t-1` */
  readonly toolCallId?: string;
  /** Options for the user. @defaultValue `yes` (`allow_once`) and `no` (`reject_once`) */
  readonly options?: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
};

/** Running turn of a scripted agent. */
export type AgentTurn = {
  /** Request `session/prompt` of the turn. */
  readonly prompt: Frame;
  /** Number of the turn in the script, counted from 1. */
  readonly number: number;
};

/** Prompt that a scripted client has sent. */
export type SentPrompt = {
  readonly id: number;
  readonly sessionId: string;
  /** Number of frames that arrived before the prompt was sent. Only later frames belong to the turn. */
  readonly since: number;
};

/** End of a turn, as the client received it. */
export type HeardEnd = { readonly stopReason?: unknown; readonly error?: unknown };

/** Frames of one dialect, made without the agent and client packages. */
export interface DialectFrames {
  /** Result of `initialize`, with all capabilities. */
  readonly agentHello: object;
  /** Params of `initialize`, with all capabilities. */
  readonly clientHello: object;
  /** Creates the update for a chunk of the agent's message or thoughts. */
  piece(kind: "agent_message_chunk" | "agent_thought_chunk", text: string, turn: number): object;
  /** Creates the params of `session/request_permission`. */
  question(sessionId: string, question: PermissionQuestion): object;
  /** Creates the frames with which an agent accepts a prompt. */
  takePrompt(turn: AgentTurn): readonly object[];
  /** Creates the frames that end a turn. */
  endTurn(turn: AgentTurn, stopReason: string): readonly object[];
  /** Waits for the end of a turn, on the client's side. */
  hearEnd(peer: RawPeer, prompt: SentPrompt): Promise<HeardEnd>;
}
