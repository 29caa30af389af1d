import type { AgentCodec, ClientCodec, Codec } from "./codec.js";
import * as seed from "./seed/calls.js";
import { createEncoder as createSeedEncoder } from "./seed/encode.js";
import { type TurnUpdates, turnUpdates } from "./turn-updates.js";
import * as v1 from "./v1/calls.js";
import { decodeV1 } from "./v1/decode.js";
import { createEncoder as createV1Encoder } from "./v1/encode.js";
import * as v2 from "./v2/calls.js";
import { decodeV2 } from "./v2/decode.js";
import { createEncoder as createV2Encoder } from "./v2/encode.js";

/** Version 1 for clients. */
export const v1ClientCodec: ClientCodec = { dialect: "v1", decode: decodeV1, ask: v1.commands, answer: v1.answers };

/** Version 1 for agents. */
export const v1AgentCodec: AgentCodec = {
  dialect: "v1",
  createEncoder: createV1Encoder,
  ask: v1.questions,
  answer: v1.commands,
};

/** Translation between version 1 of the protocol and turnkit's neutral form. */
export const v1Codec: Codec = {
  dialect: "v1",
  decode: decodeV1,
  createEncoder: createV1Encoder,
  call: v1.calls,
  ask: v1.calls,
  answer: v1.calls,
};

/** Version 2 for clients. */
export const v2ClientCodec: ClientCodec = { dialect: "v2", decode: decodeV2, ask: v2.commands, answer: v2.answers };

/** Version 2 for agents. */
export const v2AgentCodec: AgentCodec & { readonly turns: TurnUpdates } = {
  dialect: "v2",
  turns: turnUpdates,
  createEncoder: createV2Encoder,
  ask: v2.questions,
  answer: v2.commands,
};

/**
 * Translation between version 2 of the protocol and turnkit's neutral form. It reads the Preview and every draft of version
 * 2, and writes the Preview.
 */
export const v2Codec: Codec & { readonly turns: TurnUpdates } = {
  dialect: "v2",
  turns: turnUpdates,
  decode: decodeV2,
  createEncoder: createV2Encoder,
  call: v2.calls,
  ask: v2.calls,
  answer: v2.calls,
};

/** Seed draft for clients. */
export const seedClientCodec: ClientCodec = {
  dialect: "seed",
  decode: decodeV2,
  ask: seed.commands,
  answer: seed.answers,
};

/** Seed draft for agents. */
export const seedAgentCodec: AgentCodec = {
  dialect: "seed",
  createEncoder: createSeedEncoder,
  ask: seed.questions,
  answer: seed.commands,
};

/**
 * Translation between the seed draft (version 2 of June 2026) and turnkit's neutral form. It reads every draft of
 * version 2, and writes the seed draft.
 */
export const seedCodec: Codec = {
  dialect: "seed",
  decode: decodeV2,
  createEncoder: createSeedEncoder,
  call: seed.calls,
  ask: seed.calls,
  answer: seed.calls,
};
