import { answering, type CallTable, making } from "../calls.js";
import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { decodeV2 } from "../v2/decode.js";
import { answers, calls, commands, questions } from "./calls.js";
import { createEncoder } from "./encode.js";

const known: CallTable = calls;

/** The seed draft as a client speaks it. */
export const seedClientCodec: ClientCodec = {
  dialect: "seed",
  decode: decodeV2,
  ask: /* @__PURE__ */ making(commands),
  answer: /* @__PURE__ */ answering(answers),
};

/** The seed draft as an agent speaks it. */
export const seedAgentCodec: AgentCodec = {
  dialect: "seed",
  createEncoder,
  ask: /* @__PURE__ */ making(questions),
  answer: /* @__PURE__ */ answering(commands),
};

/** The draft of version 2 of June 2026 against turnkit's neutral form. Reads every draft, writes that one. */
export const seedCodec: Codec = {
  dialect: "seed",
  decode: decodeV2,
  createEncoder,
  call: (name) => known[name],
  ask: (name) => known[name],
  answer: (name) => known[name],
};
