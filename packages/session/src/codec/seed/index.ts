import type { CallCodec, Calls } from "../../call.js";
import { answersBy, asksBy } from "../call-halves.js";
import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { decodeV2 } from "../v2/decode.js";
import { agentAnswers, agentAsks, calls, clientAnswers, clientAsks } from "./calls.js";
import { createEncoder } from "./encode.js";

const known: { readonly [K in keyof Calls]?: CallCodec<Calls[K]> } = calls;

/** The seed draft as a client speaks it. */
export const seedClientCodec: ClientCodec = {
  dialect: "seed",
  decode: decodeV2,
  ask: /* @__PURE__ */ asksBy(clientAsks),
  answer: /* @__PURE__ */ answersBy(clientAnswers),
};

/** The seed draft as an agent speaks it. */
export const seedAgentCodec: AgentCodec = {
  dialect: "seed",
  createEncoder,
  ask: /* @__PURE__ */ asksBy(agentAsks),
  answer: /* @__PURE__ */ answersBy(agentAnswers),
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
