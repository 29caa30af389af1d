import type { Codec } from "../codec.js";
import { calls } from "./calls.js";
import { decode } from "./decode.js";
import { createEncoder } from "./encode.js";

/** Version 1 of the protocol against turnkit's neutral form. */
export const v1Codec: Codec = { dialect: "v1", decode, createEncoder, call: (name) => calls[name] };
