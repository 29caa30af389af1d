import { isObject, meta, metaOrNull, text, textOrNull } from "../read.js";
import { lenient, type Reader, type Variant } from "../shape.js";
import { controls } from "./tool-call.js";

/** `null` clears; otherwise as `read` says. */
const orNull =
  (read: Reader): Reader =>
  (value, wire) =>
    value === null ? null : read(value, wire);

/** A new terminal, or what changes of one. */
export const terminalUpdate: Variant = {
  type: "terminal_update",
  needs: { terminalId: text },
  may: {
    command: textOrNull,
    cwd: textOrNull,
    output: /* @__PURE__ */ orNull((value) => (isObject(value) && typeof value.data === "string" ? value : undefined)),
    exitStatus: /* @__PURE__ */ orNull(exitOf),
    size: /* @__PURE__ */ orNull((value) =>
      isObject(value) && isSide(value.cols) && isSide(value.rows) ? value : undefined,
    ),
    capabilities: controls,
    _meta: metaOrNull,
  },
};

/** Bytes that a terminal put out. */
export const terminalChunk: Variant = {
  type: "terminal_output_chunk",
  needs: { terminalId: text, data: text },
  may: { _meta: meta },
};

/** Even an empty object says that the process ended (V2-TERM-07). */
function exitOf(value: unknown): object | undefined {
  const code = (one: unknown) => (Number.isInteger(one) ? one : undefined);
  return isObject(value) ? lenient(value, { exitCode: code, signal: text }) : undefined;
}

const isSide = (side: unknown): boolean =>
  Number.isInteger(side) && (side as number) >= 1 && (side as number) <= 0xffff;
