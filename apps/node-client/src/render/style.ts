import picocolors from "picocolors";

/** Styles of text. Without colours, all styles look the same. */
export type Style =
  | ("plain" | "bold" | "dim" | "italic" | "underline" | "strikethrough" | "inverse")
  | ("red" | "green" | "yellow" | "cyan" | "blue" | "magenta");

/**
 * Function that returns a text with control sequences for a style. The given text must be safe for a terminal already.
 */
export type Paint = (style: Style, text: string) => string;

/** Creates a {@link Paint}. Without `colours`, the function returns texts unchanged. */
export function createPaint(colours: boolean): Paint {
  const formatters = picocolors.createColors(colours);
  return (style, text) => (style === "plain" ? text : formatters[style](text));
}

/**
 * Returns `true` if the output has colours: on a terminal, unless `NO_COLOR` is set. `FORCE_COLOR` switches colours on,
 * and `FORCE_COLOR=0` switches them off. `NO_COLOR` has priority over `FORCE_COLOR`.
 */
export function wantsColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}
