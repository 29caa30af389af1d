import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { answers, calls, commands, questions } from "./calls.js";
import { decodeV1 } from "./decode.js";
import { createEncoder } from "./encode.js";

/** Version 1 as a client speaks it. */
export const v1ClientCodec: ClientCodec = {
  dialect: "v1",
  decode: decodeV1,
  ask: commands,
  answer: answers,
};

/** Version 1 as an agent speaks it. */
export const v1AgentCodec: AgentCodec = {
  dialect: "v1",
  createEncoder,
  ask: questions,
  answer: commands,
};

/** Version 1 of the protocol against turnkit's neutral form. */
export const v1Codec: Codec = {
  dialect: "v1",
  decode: decodeV1,
  createEncoder,
  call: calls,
  ask: calls,
  answer: calls,
};
