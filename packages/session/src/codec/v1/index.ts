import { answering, type CallTable, making } from "../calls.js";
import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { answers, calls, commands, questions } from "./calls.js";
import { decodeV1 } from "./decode.js";
import { createEncoder } from "./encode.js";

const known: CallTable = calls;

/** Version 1 as a client speaks it. */
export const v1ClientCodec: ClientCodec = {
  dialect: "v1",
  decode: decodeV1,
  ask: /* @__PURE__ */ making(commands),
  answer: /* @__PURE__ */ answering(answers),
};

/** Version 1 as an agent speaks it. */
export const v1AgentCodec: AgentCodec = {
  dialect: "v1",
  createEncoder,
  ask: /* @__PURE__ */ making(questions),
  answer: /* @__PURE__ */ answering(commands),
};

/** Version 1 of the protocol against turnkit's neutral form. */
export const v1Codec: Codec = {
  dialect: "v1",
  decode: decodeV1,
  createEncoder,
  call: (name) => known[name],
  ask: (name) => known[name],
  answer: (name) => known[name],
};
