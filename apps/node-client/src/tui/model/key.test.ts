import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyReader, type Key } from "./key.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reads pieces of input; returns the keys as words. */
function read(...pieces: readonly string[]): readonly string[] {
  const keys: Key[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  for (const piece of pieces) reader.read(piece);
  vi.runAllTimers();
  return keys.map((key) => (key.name === "text" ? `'${key.text}` : key.name === "ctrl" ? `^${key.letter}` : key.name));
}

it("reads keys by their sequences, of several kinds of terminals", () => {
  expect(read("\u001b[A\u001bOB\u001b[C\u001b[1;2D")).toEqual(["up", "down", "right", "left"]);
  expect(read("\u001b[H\u001b[4~\u001bOF\u001b[7~\u001b[5~\u001b[6~")).toEqual([
    ...["home", "end", "end", "home", "page-up", "page-down"],
  ]);
  expect(read("\t\u001b[Z\u007f\b\u001b[3~\u001bOM")).toEqual([
    ...["tab", "backtab", "backspace", "backspace", "delete", "enter"],
  ]);
});

it("P9: reads the keys of the kitty protocol and of modifyOtherKeys, and reports that a terminal knows the protocol", () => {
  expect(read("\u001b[13;2u\u001b[13u\u001b[27u\u001b[9;2u\u001b[127;5u\u001b[57414u")).toEqual([
    ...["newline", "enter", "escape", "backtab", "delete-word", "enter"],
  ]);
  expect(read("\u001b[99;5u\u001b[122;133u\u001b[106;5u\u001b[98;3u\u001b[1;129A\u001b[65;2u")).toEqual([
    ...["^c", "^z", "newline", "word-left", "up", "'A"],
  ]);
  expect(read("\u001f\u001b[45;6u\u001b[95;6u\u001b[47;5u\u001b[95;5u")).toEqual(["^_", "^_", "^_", "^_", "^_"]);
  expect(read("\u001b[27;2;13~\u001b[27;5;99~")).toEqual(["newline", "^c"]);
  expect(read("\u001b[57358u\u001b[97;7u\u001b[1114112;1u")).toEqual([]);
  let answers = 0;
  const reader = createKeyReader(
    () => {},
    () => {
      answers += 1;
    },
  );
  reader.read("\u001b[?0");
  reader.read("u\u001b[?62;4c");
  expect(answers).toBe(1);
});

it("reads keys with Alt and Ctrl", () => {
  expect(read("\u001b\r\n\u001b[13;2u")).toEqual(["newline", "newline", "newline"]);
  expect(read("\u001bb\u001bf\u001b[1;3D\u001b[1;5C\u001b\u001b[D")).toEqual([
    ...["word-left", "word-right", "word-left", "word-right", "word-left"],
  ]);
  expect(read("\u001b\u007f\u001b[3;5~")).toEqual(["delete-word", "delete-word"]);
  expect(read("\u0001\u0003\u000f")).toEqual(["^a", "^c", "^o"]);
});

it("takes fast typing apart, and passes over keys and answers that have no use", () => {
  expect(read("Grüß 👩‍👩‍👧 dich\rno\u0015yes\r")).toEqual(["'Grüß 👩‍👩‍👧 dich", "enter", "'no", "^u", "'yes", "enter"]);
  expect(read("a\u001b[15~\u001b[?62;4c\u001b[[A\u001bx\u001b[Ib")).toEqual(["'a", "'b"]);
});

it("waits for the rest of a sequence; an escape character that stays alone is Escape", () => {
  expect(read("\u001b", "[", "1;", "5D")).toEqual(["word-left"]);
  expect(read("\u001b")).toEqual(["escape"]);
  expect(read("\u001b[")).toEqual([]);
  expect(read("\u001b", "\u001b")).toEqual(["escape"]);
});

it("takes a paste as one text, however it arrives, without control characters but line breaks and tabs", () => {
  expect(read("\u001b[200~a\r\nb\r\tc\u001b[201~\r")).toEqual(["'a\nb\n\tc", "enter"]);
  expect(read("x\u001b[20", "0~one\r", "\ntwo\u001b[2", "01~y")).toEqual(["'x", "'one\ntwo", "'y"]);
  expect(read("\u001b[200~a\u0003\u001b[200~\u001b[Ab\u001b[201~")).toEqual(["'a[200~[Ab"]);
  expect(read("\u001b[200~\u001b[201~")).toEqual([]);
});

it("takes reports of a mouse and answers of the terminal for no keys, wherever they are cut", () => {
  const reports = ["\u001b[M !!", "\u001b[<0;1;5M", "\u001b[<0;1;5m", "\u001b[32;1;5M", "\u001b]11;rgb:0/0/0\u001b\\"];
  for (const report of [...reports, "\u001b]10;x\u0007", "\u001bP1+r5463\u001b\\", "\u001b[24;80R"]) {
    expect(read(`a${report}b`)).toEqual(["'a", "'b"]);
    for (let at = 1; at < report.length; at += 1) {
      expect(read(`a${report.slice(0, at)}`, `${report.slice(at)}b`)).toEqual(["'a", "'b"]);
    }
  }
});

describe("defect P31: reports of the cursor's row", () => {
  /** Reads pieces of input; returns the reported rows and the typed text. */
  function rowsIn(...pieces: readonly string[]) {
    const rows: number[] = [];
    let typed = "";
    const reader = createKeyReader(
      (key) => {
        typed += key.name === "text" ? key.text : `<${key.name}>`;
      },
      undefined,
      (row) => rows.push(row),
    );
    for (const piece of pieces) reader.read(piece);
    vi.runAllTimers();
    return { rows, typed };
  }

  it("is read wherever it is cut, and among keys", () => {
    const report = "\u001b[24;80R";
    expect(rowsIn(report)).toEqual({ rows: [24], typed: "" });
    for (let at = 1; at < report.length; at += 1) {
      expect(rowsIn(`a${report.slice(0, at)}`, `${report.slice(at)}b`)).toEqual({ rows: [24], typed: "ab" });
    }
    expect(rowsIn(`x\r${report}\u001b[A${report.replace("24", "7")}y`)).toEqual({
      rows: [24, 7],
      typed: "x<enter><up>y",
    });
  });

  it("defect P52: is no report in a paste, and the key F3 is none", () => {
    expect(rowsIn("\u001b[200~a\u001b[24;80Rb\u001b[201~")).toEqual({ rows: [], typed: "a[24;80Rb" });
    expect(rowsIn("\u001b[R\u001bOR")).toEqual({ rows: [], typed: "" });
  });

  it("is dropped if its rest does not arrive", () => {
    expect(rowsIn("\u001b[24;")).toEqual({ rows: [], typed: "" });
  });

  it("defect P52: whose rest another program has read, changes no later key", () => {
    const keys: Key[] = [];
    const reader = createKeyReader((key) => keys.push(key));
    reader.read("\u001b[24;");
    reader.stop();
    reader.read("A");
    expect(keys).toEqual([{ name: "text", text: "A" }]);
  });
});

it("types words that are names of an object's members", () => {
  for (const word of ["constructor", "__proto__", "toString"]) expect(read(word)).toEqual([`'${word}`]);
});

it("ends a paste without an end when nothing follows, and keeps a part of a large one", () => {
  const keys: Key[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  reader.read("\u001b[200~a");
  for (let n = 0; n < 40; n += 1) reader.read("b".repeat(65_536));
  vi.runAllTimers();
  reader.read("\u0003");
  expect(keys[0]?.name === "text" && keys[0].text.length).toBeLessThan(1_100_000);
  expect(keys[1]).toEqual({ name: "ctrl", letter: "c" });
  expect(read("\u001b[200~a\u001b[201", "~b")).toEqual(["'a", "'b"]);
});
