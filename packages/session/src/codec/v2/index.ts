import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { type TurnUpdates, turnUpdates } from "../turn-updates.js";
import { answers, calls, commands, questions } from "./calls.js";
import { decodeV2 } from "./decode.js";
import { createEncoder } from "./encode.js";

/** Version 2 as a client speaks it. */
export const v2ClientCodec: ClientCodec = {
  dialect: "v2",
  decode: decodeV2,
  ask: commands,
  answer: answers,
};

/** Version 2 as an agent speaks it. */
export const v2AgentCodec: AgentCodec & { readonly turns: TurnUpdates } = {
  dialect: "v2",
  turns: turnUpdates,
  createEncoder,
  ask: questions,
  answer: commands,
};

/** Version 2 of the protocol against turnkit's neutral form. Reads every draft of it, writes the newest. */
export const v2Codec: Codec & { readonly turns: TurnUpdates } = {
  dialect: "v2",
  turns: turnUpdates,
  decode: decodeV2,
  createEncoder,
  call: calls,
  ask: calls,
  answer: calls,
};
