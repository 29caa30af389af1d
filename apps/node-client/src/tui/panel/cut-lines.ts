import type { Line } from "../../render/line.js";
import { wrap } from "../../render/wrap.js";

/** Returns the lines for a connection to a remote agent that is cut, and that this program repairs. */
export function cutLines(cut: string, width: number): readonly Line[] {
  return wrap([["yellow", `◌ The connection is cut. ${cut}`]], width, { rest: ["  "] });
}
