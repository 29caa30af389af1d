import type { CallCodec, Calls } from "../../call.js";
import { answersBy, asksBy } from "../call-halves.js";
import type { AgentCodec, ClientCodec, Codec } from "../codec.js";
import { agentAnswers, agentAsks, calls, clientAnswers, clientAsks } from "./calls.js";
import { decodeV1 } from "./decode.js";
import { createEncoder } from "./encode.js";

const known: { readonly [K in keyof Calls]?: CallCodec<Calls[K]> } = calls;

/** Version 1 as a client speaks it. */
export const v1ClientCodec: ClientCodec = {
  dialect: "v1",
  decode: decodeV1,
  ask: /* @__PURE__ */ asksBy(clientAsks),
  answer: /* @__PURE__ */ answersBy(clientAnswers),
};

/** Version 1 as an agent speaks it. */
export const v1AgentCodec: AgentCodec = {
  dialect: "v1",
  createEncoder,
  ask: /* @__PURE__ */ asksBy(agentAsks),
  answer: /* @__PURE__ */ answersBy(agentAnswers),
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
