import type { CallCodec, Calls } from "../../call.js";
import type { Codec } from "../codec.js";
import { decodeV2 } from "../draft/decode.js";
import { type TurnUpdates, turnUpdates } from "../turn-updates.js";
import { calls } from "./calls.js";
import { createEncoder } from "./encode.js";

const known: { readonly [K in keyof Calls]?: CallCodec<Calls[K]> } = calls;

/** Version 2 of the protocol against turnkit's neutral form. Reads every draft of it, writes the newest. */
export const v2Codec: Codec & { readonly turns: TurnUpdates } = {
  dialect: "v2",
  turns: turnUpdates,
  decode: decodeV2,
  createEncoder,
  call: (name) => known[name],
};
