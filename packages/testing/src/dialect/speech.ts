import type { Frame } from "../frame.js";
import type { RawPeer } from "../raw-peer.js";

/** Dialect of the protocol: version 1, today's draft of version 2, or its draft of June 2026. */
export type Dialect = "v1" | "v2" | "seed";

/** A permission request, in no dialect yet. */
export type PermissionQuestion = {
  /** Title of the tool call. */
  readonly title: string;
  /** @defaultValue `t-1` */
  readonly toolCallId?: string;
  /** @defaultValue `yes` (`allow_once`) and `no` (`reject_once`) */
  readonly options?: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
};

/** A running turn of a scripted agent. */
export type AgentTurn = {
  /** The `session/prompt` request of the turn. */
  readonly prompt: Frame;
  /** Number of the turn in the script, from 1. */
  readonly number: number;
};

/** A prompt that a scripted client has sent. */
export type SentPrompt = {
  readonly id: number;
  readonly sessionId: string;
  /** Number of frames received before it was sent. Only later frames count. */
  readonly since: number;
};

/** End of a turn, as the client read it. */
export type HeardEnd = { readonly stopReason?: unknown; readonly error?: unknown };

/** The frames of one dialect, written without any runtime. */
export interface Speech {
  /** Result of `initialize`, with all capabilities. */
  readonly agentHello: object;
  /** Params of `initialize`, with all capabilities. */
  readonly clientHello: object;
  /** Creates the update for a chunk of the agent's message or thoughts. */
  piece(kind: "agent_message_chunk" | "agent_thought_chunk", text: string, turn: number): object;
  /** Creates the params of `session/request_permission`. */
  question(sessionId: string, question: PermissionQuestion): object;
  /** Creates the frames by which an agent accepts a prompt. */
  takePrompt(turn: AgentTurn): readonly object[];
  /** Creates the frames that end a turn. */
  endTurn(turn: AgentTurn, stopReason: string): readonly object[];
  /** Waits, on the side of the client, for the end of a turn. */
  hearEnd(peer: RawPeer, prompt: SentPrompt): Promise<HeardEnd>;
}
