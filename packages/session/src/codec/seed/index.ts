import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { decodeV2 } from "../v2/decode.js";
import { answers, calls, commands, questions } from "./calls.js";
import { createEncoder } from "./encode.js";

/** The seed draft as a client speaks it. */
export const seedClientCodec: ClientCodec = {
  dialect: "seed",
  decode: decodeV2,
  ask: commands,
  answer: answers,
};

/** The seed draft as an agent speaks it. */
export const seedAgentCodec: AgentCodec = {
  dialect: "seed",
  createEncoder,
  ask: questions,
  answer: commands,
};

/** The draft of version 2 of June 2026 against turnkit's neutral form. Reads every draft, writes that one. */
export const seedCodec: Codec = {
  dialect: "seed",
  decode: decodeV2,
  createEncoder,
  call: calls,
  ask: calls,
  answer: calls,
};
