import { meta, metaOrNull, text, textOrNull } from "../read.js";
import { integer, orNull, record, type Shape } from "../shape.js";
import { controls } from "./tool-call.js";

const side = /* @__PURE__ */ integer(1, 0xffff);
const code = /* @__PURE__ */ integer();

/** A new terminal, or what changes of one. */
export const terminalUpdate: Shape = [
  { terminalId: text },
  {
    command: textOrNull,
    cwd: textOrNull,
    output: /* @__PURE__ */ orNull(/* @__PURE__ */ record({ data: text })),
    // Even an empty object says that the process ended (V2-TERM-07).
    exitStatus: /* @__PURE__ */ orNull(/* @__PURE__ */ record({}, { exitCode: code, signal: text })),
    size: /* @__PURE__ */ orNull(/* @__PURE__ */ record({ cols: side, rows: side })),
    capabilities: controls,
    _meta: metaOrNull,
  },
];

/** Bytes that a terminal put out. */
export const terminalChunk: Shape = [{ terminalId: text, data: text }, { _meta: meta }];
