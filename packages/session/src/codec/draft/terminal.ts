import { integer, record } from "../shape.js";
import { type Kind, kind } from "../updates.js";
import { controls } from "./tool-call.js";

/** A new terminal, or what changes of one. */
export const terminalUpdate: Kind = /* @__PURE__ */ kind(
  "terminalId command~ cwd~ output~ exitStatus~ size~ capabilities~ _meta~",
  {
    output: /* @__PURE__ */ record("data"),
    // Even an empty object says that the process ended (V2-TERM-07).
    exitStatus: /* @__PURE__ */ record("exitCode? signal?", { exitCode: /* @__PURE__ */ integer() }),
    size: /* @__PURE__ */ record("cols rows", {}, /* @__PURE__ */ integer(1, 0xffff)),
    capabilities: controls,
  },
);

/** Bytes that a terminal put out. */
export const terminalChunk: Kind = /* @__PURE__ */ kind("terminalId data");
