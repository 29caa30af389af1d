import { type StreamParser, StringStream } from "@codemirror/streamparser";

/** Part of code with its kind, which is also its class: `code-keyword`, or an empty text. */
export type CodePiece = { readonly text: string; readonly kind: string };

/** Longest code with colours, and its longest line, in characters. Some parsers read a line once for each character. */
const LONGEST = 30_000;
const LONGEST_LINE = 500;
/** Time for one block in ms. */
const MOST_MS = 60;

type Modes = Readonly<Record<string, unknown>>;
type Place = readonly [load: () => Promise<Modes>, member: string];

const script = () => import("@codemirror/legacy-modes/mode/javascript");
const clike = () => import("@codemirror/legacy-modes/mode/clike");
const css = () => import("@codemirror/legacy-modes/mode/css");
const xml = () => import("@codemirror/legacy-modes/mode/xml");

/** Parsers by names of languages. Those that are slow for hostile text are left out, as in the terminal client. */
const places: Readonly<Record<string, Place>> = {
  ...named([script, "javascript"], "js jsx mjs cjs javascript"),
  ...named([script, "typescript"], "ts tsx mts cts typescript"),
  ...named([script, "json"], "json jsonc json5"),
  ...named([() => import("@codemirror/legacy-modes/mode/python"), "python"], "py python"),
  ...named([clike, "c"], "c h"),
  ...named([clike, "cpp"], "cpp c++ cc hpp cxx"),
  ...named([clike, "java"], "java"),
  ...named([clike, "csharp"], "cs csharp c#"),
  ...named([clike, "kotlin"], "kt kotlin"),
  ...named([() => import("@codemirror/legacy-modes/mode/rust"), "rust"], "rs rust"),
  ...named([() => import("@codemirror/legacy-modes/mode/go"), "go"], "go golang"),
  ...named([() => import("@codemirror/legacy-modes/mode/shell"), "shell"], "sh bash zsh shell console"),
  ...named([css, "css"], "css"),
  ...named([css, "sCSS"], "scss"),
  ...named([xml, "xml"], "xml svg"),
  ...named([xml, "html"], "html htm vue"),
  ...named([() => import("@codemirror/legacy-modes/mode/sql"), "standardSQL"], "sql postgresql mysql sqlite"),
  ...named([() => import("@codemirror/legacy-modes/mode/ruby"), "ruby"], "rb ruby"),
  ...named([() => import("@codemirror/legacy-modes/mode/toml"), "toml"], "toml"),
  ...named([() => import("@codemirror/legacy-modes/mode/diff"), "diff"], "diff patch"),
};

function named(place: Place, names: string): Record<string, Place> {
  return Object.fromEntries(names.split(" ").map((name) => [name, place]));
}

/** Kinds of tokens that have a colour. */
const KIND = /^(keyword|string|comment|number|atom|def|type|typeName|tag|propertyName|attribute|inserted|deleted|meta)/;

/** Reads code in a language. Resolves to `undefined` for unknown languages, and for code that would take long. */
export async function highlight(code: string, language: string): Promise<readonly CodePiece[] | undefined> {
  const name = language.toLowerCase();
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  if (place === undefined || code.length > LONGEST) return undefined;
  const [load, member] = place;
  return readCode(code, (await load())[member] as StreamParser<unknown>);
}

function readCode(code: string, mode: StreamParser<unknown>): readonly CodePiece[] | undefined {
  const end = performance.now() + MOST_MS;
  const state = mode.startState?.(2) ?? {};
  const pieces: CodePiece[] = [];
  const add = (text: string, kind: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind };
    else if (text !== "") pieces.push({ text, kind });
  };
  for (const [number, line] of code.split("\n").entries()) {
    if (line.length > LONGEST_LINE || performance.now() > end) return undefined;
    if (number > 0) add("\n", "");
    if (line === "") mode.blankLine?.(state, 2);
    const stream = new StringStream(line, 4, 2);
    let stuck = 0;
    while (!stream.eol()) {
      stream.start = stream.pos;
      const token = mode.token(stream, state);
      if (stream.pos === stream.start && ++stuck > 10) return undefined;
      add(stream.current(), KIND.exec(token ?? "")?.[1] ?? "");
    }
  }
  return pieces;
}
