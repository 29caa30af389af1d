import { once } from "node:events";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { kindOfInput, readAddition, readInput } from "./standard-input.js";

/** Returns both ends of a socket. */
async function socketPair(): Promise<readonly [Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-input-"));
  const server = createServer();
  server.listen(join(folder, "s"));
  await once(server, "listening");
  const far = connectSocket(join(folder, "s"));
  const [near] = (await once(server, "connection")) as [Socket];
  onTestFinished(async () => {
    for (const one of [near, far]) one.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return [near, far];
}

const withFd = (socket: Socket) =>
  Object.assign(socket, { fd: (socket as unknown as { _handle: { fd: number } })._handle.fd });

it("tells the kinds of standard input apart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-input-"));
  await writeFile(join(folder, "a"), "");
  const file = await open(join(folder, "a"));
  const none = await open("/dev/null");
  onTestFinished(async () => {
    await Promise.all([file.close(), none.close()]);
    await rm(folder, { recursive: true });
  });
  const [near] = await socketPair();
  const of = (fd: number) => kindOfInput(Object.assign(new PassThrough(), { fd }));
  expect(kindOfInput(Object.assign(new PassThrough(), { isTTY: true }))).toBe("terminal");
  expect([of(file.fd), of(none.fd), of(999_999)]).toEqual(["pipe", "nothing", "nothing"]);
  expect(kindOfInput(withFd(near))).toBe("socket");
});

it("reads characters that are cut between chunks", async () => {
  const bytes = Buffer.from("Grüße\n");
  const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)], { objectMode: false });
  expect(await readInput(stdin, () => {})).toBe("Grüße");
  // A replacement character may be in the text.
  const marked = Buffer.from("\ufeff\ufffd€");
  const notes: string[] = [];
  const pieces = Readable.from([marked.subarray(0, 7), marked.subarray(7)], { objectMode: false });
  expect(await readInput(pieces, (note) => void notes.push(note))).toBe("\ufeff\ufffd€");
  expect(notes).toEqual([]);
});

it.each([
  ["a byte that begins no character", [[0xff, 0x61]], "�a"],
  ["a character that the end cuts", [[0x61], [0xc3]], "a�"],
  ["bytes after a good chunk", [[0x61], [0xff], [0x62]], "a�b"],
])("defect P57: input that is not UTF-8 is noted once: %s", async (_, chunks, text) => {
  const notes: string[] = [];
  const stdin = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
  expect(await readInput(stdin, (note) => void notes.push(note))).toBe(text);
  expect(notes).toEqual([expect.stringContaining("Standard input is not UTF-8.")]);
});

it("a slow pipe is awaited, and the wait is reported once", async () => {
  const stdin = new PassThrough();
  const notes: string[] = [];
  const read = readAddition(
    stdin,
    (text) => {
      notes.push(text);
      stdin.end("late");
    },
    { reportMs: 1 },
  );
  expect(await read).toBe("late");
  expect(notes).toEqual([expect.stringContaining("Reading standard input.")]);
});

it("a socket with text or an end is read, as a parent in Node gives it", async () => {
  const [near, far] = await socketPair();
  far.end("a diff");
  expect(await readAddition(withFd(near), () => {})).toBe("a diff");
  const [empty, closed] = await socketPair();
  closed.end();
  expect(await readAddition(withFd(empty), () => {})).toBe("");
});

it("a socket that stays open and empty is not awaited, and the user is told", async () => {
  const [near] = await socketPair();
  const notes: string[] = [];
  expect(await readAddition(withFd(near), (text) => void notes.push(text), { socketMs: 10 })).toBe("");
  expect(notes).toEqual([expect.stringContaining("add the word -.")]);
});

it("a text of more than 8 Mi characters is refused", async () => {
  const stdin = Readable.from(Array.from({ length: 9 }, () => "x".repeat(1024 * 1024)));
  await expect(readInput(stdin, () => {})).rejects.toThrow("longer than 8 Mi characters");
});
