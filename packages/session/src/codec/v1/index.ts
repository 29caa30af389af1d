import type { CallCodec, Calls } from "../../call.js";
import type { Codec } from "../codec.js";
import { calls } from "./calls.js";
import { decodeV1 } from "./decode.js";
import { createEncoder } from "./encode.js";

const known: { readonly [K in keyof Calls]?: CallCodec<Calls[K]> } = calls;

/** Version 1 of the protocol against turnkit's neutral form. */
export const v1Codec: Codec = { dialect: "v1", decode: decodeV1, createEncoder, call: (name) => known[name] };
