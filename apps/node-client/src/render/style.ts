import picocolors from "picocolors";

/** Styles of text; without colours they all look the same. */
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

/** Function that styles a text. The text must be harmless already: the result holds control sequences. */
export type Paint = (style: Style, text: string) => string;

/** Makes a {@link Paint} that colours, or one that leaves text as it is. */
export function createPaint(colours: boolean): Paint {
  const formatters = picocolors.createColors(colours);
  return (style, text) => (style === "plain" ? text : formatters[style](text));
}

/**
 * Returns whether to colour: on a terminal, unless `NO_COLOR` is set. `FORCE_COLOR` switches colours on (`0` off);
 * `NO_COLOR` wins over it.
 */
export function wantsColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}
