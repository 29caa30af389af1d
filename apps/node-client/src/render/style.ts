import picocolors from "picocolors";

/** The looks that the renderer uses; without colours they all look the same. */
export type Style =
  | "plain"
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "strikethrough"
  | "red"
  | "green"
  | "yellow"
  | "cyan"
  | "magenta";

/** Puts text into a style. The text must be harmless already: what `Paint` adds are control sequences. */
export type Paint = (style: Style, text: string) => string;

/** Makes a {@link Paint} that colours, or one that leaves text as it is. */
export function createPaint(colours: boolean): Paint {
  const formatters = picocolors.createColors(colours);
  return (style, text) => (style === "plain" ? text : formatters[style](text));
}

/**
 * Colours belong on a terminal. `NO_COLOR` switches them off, `FORCE_COLOR` switches them on (`0` off), and where both
 * are set `NO_COLOR` wins.
 */
export function wantsColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}
