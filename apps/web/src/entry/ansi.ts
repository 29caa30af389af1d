/** Piece of the output of a terminal, with the classes of its style. */
export type StyledText = { readonly text: string; readonly style: string };

/** Control sequences: CSI, then those with a payload, then two-character ones. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  /\u001b\[([\d;:<=>?]*)[ -/]*([@-~])|[\u001b\u009b](?:[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const MODES: Readonly<Record<number, string>> = { 1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "inverse" };

/** Returns the output of a terminal as styled pieces. Everything but colours and simple styles is removed. */
export function readAnsi(output: string): readonly StyledText[] {
  const pieces: StyledText[] = [];
  const text = lastWritten(output);
  let styles: readonly string[] = [];
  let from = 0;
  const add = (to: number) => {
    const plain = text.slice(from, to).replace(CONTROL, "");
    if (plain !== "") pieces.push({ text: plain, style: styles.join(" ") });
  };
  for (const found of text.matchAll(SEQUENCE)) {
    add(found.index);
    from = found.index + found[0].length;
    if (found[2] === "m") styles = styled(styles, found[1] ?? "");
  }
  add(text.length);
  return pieces;
}

/** A carriage return writes over the line, as bars of progress do. */
function lastWritten(output: string): string {
  return output.replaceAll("\r\n", "\n").replace(/[^\n\r]*\r(?=[^\n])/g, "");
}

function styled(before: readonly string[], codes: string): readonly string[] {
  let styles = before;
  const numbers = codes.split(/[;:]/).map(Number);
  const without = (kind: RegExp) => styles.filter((one) => !kind.test(one));
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] as number;
    if (code === 38 || code === 48) at += numbers[at + 1] === 2 ? 4 : 2;
    else if (code === 0) styles = [];
    else if (MODES[code]) styles = [...without(new RegExp(`^ansi-${MODES[code]}$`)), `ansi-${MODES[code]}`];
    else if (code === 22) styles = without(/bold|dim/);
    else if (code === 39 || (code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      const name = COLOURS[code % 10];
      styles = [...without(/^ansi-fg/), ...(code === 39 || name === undefined ? [] : [`ansi-fg-${name}`])];
    } else if (code >= 23 && code <= 27) styles = without(/italic|underline|inverse/);
  }
  return styles;
}
