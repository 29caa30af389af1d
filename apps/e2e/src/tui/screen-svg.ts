import type { IBufferCell, Terminal } from "@xterm/headless";

/** Settings of a drawn screen. */
export type SvgOptions = {
  /** Stands in the title bar, and is read to those who cannot see the picture. */
  readonly title: string;
};

/** Size of one cell, in the picture's own units. */
const CELL = { width: 8.4, height: 18, size: 14 } as const;
const MARGIN = { side: 16, top: 44, bottom: 16 } as const;
const COLOURS = { page: "#16181d", bar: "#22252c", text: "#d7dae0", dim: "#7d8490" } as const;
/** The sixteen colours of a terminal. */
const PALETTE = [
  ...["#3b4048", "#f0717b", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"],
  ...["#7d8490", "#ff8f97", "#b5e08c", "#ffd68a", "#8cc8ff", "#dba0ef", "#7fd6e0", "#ffffff"],
] as const;

type Look = { readonly fill: string; readonly weight: string; readonly more: string };
type Run = { readonly look: Look; readonly column: number; text: string; columns: number };

/** Draws the visible part of a terminal as a picture. The same screen always makes the same text. */
export function screenSvg(terminal: Terminal, { title }: SvgOptions): string {
  const { cols, rows, buffer } = terminal;
  const width = Math.ceil(cols * CELL.width + 2 * MARGIN.side);
  const height = rows * CELL.height + MARGIN.top + MARGIN.bottom;
  const lines = Array.from({ length: rows }, (_, row) => lineSvg(terminal, buffer.active.viewportY + row, row));
  const dots = ["#f0717b", "#e5c07b", "#98c379"].map(
    (fill, index) => `<circle cx="${22 + 18 * index}" cy="16" r="5.5" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${COLOURS.page}"/>`,
    `<path d="M0 32V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v24z" fill="${COLOURS.bar}"/>`,
    ...dots,
    `<text x="${width / 2}" y="21" text-anchor="middle" font-family="system-ui, sans-serif" font-size="12" fill="${COLOURS.dim}">${escaped(title)}</text>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.size}" xml:space="preserve">`,
    ...lines.filter((line) => line !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function lineSvg({ cols, buffer }: Terminal, y: number, row: number): string {
  const line = buffer.active.getLine(y);
  const runs: Run[] = [];
  for (let column = 0; column < cols; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const last = runs.at(-1);
    const text = cell.getChars() || " ";
    if (last !== undefined && sameLook(last.look, look)) {
      last.text += text;
      last.columns += cell.getWidth();
    } else runs.push({ look, column, text, columns: cell.getWidth() });
  }
  const baseline = MARGIN.top + row * CELL.height + 13;
  return runs
    .filter(({ text }) => text.trim() !== "")
    .map(({ look, column, text, columns }) => {
      const blank = text.length - text.trimStart().length;
      const shown = text.trim();
      const x = rounded(MARGIN.side + (column + blank) * CELL.width);
      const length = rounded((columns - (text.length - shown.length)) * CELL.width);
      return `<text x="${x}" y="${baseline}" textLength="${length}" fill="${look.fill}"${look.weight}${look.more}>${escaped(shown)}</text>`;
    })
    .join("");
}

function lookOf(cell: IBufferCell): Look {
  const isDim = cell.isDim() !== 0;
  const colour = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : undefined;
  const fill = colour ?? (isDim ? COLOURS.dim : COLOURS.text);
  const more = [
    cell.isItalic() !== 0 ? ' font-style="italic"' : "",
    cell.isUnderline() !== 0 ? ' text-decoration="underline"' : "",
    isDim && colour !== undefined ? ' opacity="0.7"' : "",
  ];
  return { fill, weight: cell.isBold() !== 0 ? ' font-weight="bold"' : "", more: more.join("") };
}

function sameLook(one: Look, other: Look): boolean {
  return one.fill === other.fill && one.weight === other.weight && one.more === other.more;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
