import type { Frame } from "../frame.js";
import type { RawPeer } from "../raw-peer.js";
import { seedSpeech } from "./seed.js";
import { v1Speech } from "./v1.js";
import { v2Speech } from "./v2.js";

/** What two sides can speak: version 1, today's draft of version 2, and the draft of June 2026. */
export type Dialect = "v1" | "v2" | "seed";

/** A question for leave, before it is put into a dialect's words. */
export type PermissionQuestion = {
  /** What is asked. */
  readonly title: string;
  /** The tool call that it is about; `t-1` unless said otherwise. */
  readonly toolCallId?: string;
  /** The answers to choose from; by default `yes` (`allow_once`) and `no` (`reject_once`). */
  readonly options?: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
};

/** A turn that a scripted agent has under way. */
export type AgentTurn = {
  /** The `session/prompt` that began it. */
  readonly prompt: Frame;
  /** Counts from 1, over the whole script. */
  readonly number: number;
};

/** A prompt that a scripted client has sent. */
export type SentPrompt = {
  readonly id: number;
  readonly sessionId: string;
  /** How many frames had been received when it was sent: what counts came later. */
  readonly since: number;
};

/** How a turn ended, as a client understood it. */
export type HeardEnd = { readonly stopReason?: unknown; readonly error?: unknown };

/** How one dialect says what both sides have to say; frames only, with nothing of a runtime in between. */
export interface Speech {
  /** Result of `initialize`: an agent that offers everything. */
  readonly agentHello: object;
  /** Params of `initialize`: a client that offers everything. */
  readonly clientHello: object;
  /** Updates for a piece of the agent's message or of its thoughts. */
  piece(kind: "agent_message_chunk" | "agent_thought_chunk", text: string, turn: number): object;
  /** Params of `session/request_permission`. */
  question(sessionId: string, question: PermissionQuestion): object;
  /** What an agent sends when it takes a prompt, before any output. */
  takePrompt(turn: AgentTurn): readonly object[];
  /** What an agent sends when the turn is over. */
  endTurn(turn: AgentTurn, stopReason: string): readonly object[];
  /** Waits, on the side of a client, until the turn of a prompt is over. */
  hearEnd(peer: RawPeer, prompt: SentPrompt): Promise<HeardEnd>;
}

/** The speech of each dialect. */
export const speeches: Readonly<Record<Dialect, Speech>> = { v1: v1Speech, v2: v2Speech, seed: seedSpeech };
