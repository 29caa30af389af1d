import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { TextDecoder } from "node:util";
import { UsageError } from "../exit-code.js";

/** Standard input of the program. `fd` is absent in tests. */
export type InputStream = Readable & { readonly isTTY?: boolean; readonly fd?: number };

/** Maximum length of the text, in characters. */
const MAX_LENGTH = 8 * 1024 * 1024;
/** Milliseconds after which a wait for the first byte is reported. */
const REPORT_MS = 3000;
/** Milliseconds in which a socket must have its first byte or its end. */
const SOCKET_MS = 200;

/** Times for the wait. Tests use shorter times. */
export type InputTimes = { readonly reportMs?: number; readonly socketMs?: number };

export type InputKind = "terminal" | "nothing" | "pipe" | "socket";

/** Returns the kind of standard input. A file counts as a pipe, and `/dev/null` as nothing. */
export function kindOfInput({ isTTY, fd }: InputStream): InputKind {
  if (isTTY === true) return "terminal";
  if (fd === undefined) return "pipe";
  try {
    const found = fstatSync(fd);
    if (found.isSocket()) return "socket";
    return found.isFIFO() || found.isFile() ? "pipe" : "nothing";
  } catch {
    return "nothing"; // a closed descriptor
  }
}

/**
 * Reads standard input to its end, without spaces at its end. A wait of more than 3 s for the first byte is reported,
 * and so is input that is not UTF-8.
 *
 * @throws UsageError for more than 8 Mi characters
 */
export async function readInput(
  stdin: InputStream,
  note: (text: string) => void,
  times: InputTimes = {},
): Promise<string> {
  const timer = setTimeout(() => {
    note("Reading standard input. To send the prompt without it, add: < /dev/null");
  }, times.reportMs ?? REPORT_MS);
  try {
    let checker: TextDecoder | undefined = new TextDecoder("utf-8", { fatal: true });
    const decoder = new StringDecoder("utf8");
    const isText = (bytes: Buffer, stream: boolean): boolean => {
      try {
        checker?.decode(bytes, { stream });
        return checker !== undefined;
      } catch {
        return false;
      }
    };
    let text = "";
    const add = (piece: string, bytes: Buffer, stream: boolean) => {
      if (!isText(bytes, stream)) checker = undefined;
      text += piece;
      if (text.length > MAX_LENGTH) throw new UsageError("The text on standard input is longer than 8 Mi characters.");
    };
    for await (const chunk of stdin) {
      clearTimeout(timer);
      const bytes = Buffer.from(chunk);
      add(decoder.write(bytes), bytes, true);
    }
    add(decoder.end(), Buffer.alloc(0), false);
    if (checker === undefined) note(`Standard input is not UTF-8. Each byte that is not text is sent as �.`);
    return text.trimEnd();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the text that belongs to a prompt of the command line. A pipe and a file are read to their end. A socket, as
 * Node gives it to a child process, is read if it has a byte or an end immediately, because many parents never close
 * it.
 */
export async function readAddition(
  stdin: InputStream,
  note: (text: string) => void,
  times: InputTimes = {},
): Promise<string> {
  const kind = kindOfInput(stdin);
  if (kind === "terminal" || kind === "nothing") return "";
  if (kind === "pipe" || (await isReadable(stdin, times.socketMs ?? SOCKET_MS))) return readInput(stdin, note, times);
  note("Standard input is open but empty, so the prompt is sent without it. To wait for it, add the word -.");
  return "";
}

function isReadable(stdin: InputStream, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (is: boolean) => () => {
      clearTimeout(timer);
      for (const event of ["readable", "end", "error"]) stdin.removeListener(event, found);
      resolve(is);
    };
    const found = end(true);
    const timer = setTimeout(end(false), ms);
    for (const event of ["readable", "end", "error"]) stdin.on(event, found);
  });
}
