import type { CallCodec, Calls } from "../../call.js";
import type { Codec } from "../codec.js";
import { decodeV2 } from "../draft/decode.js";
import { calls } from "./calls.js";
import { createEncoder } from "./encode.js";

const known: { readonly [K in keyof Calls]?: CallCodec<Calls[K]> } = calls;

/** The draft of version 2 of June 2026 against turnkit's neutral form. Reads every draft, writes that one. */
export const seedCodec: Codec = { dialect: "seed", decode: decodeV2, createEncoder, call: (name) => known[name] };
