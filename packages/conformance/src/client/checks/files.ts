import { NOTE } from "../../agent/replies.js";
import type { CheckFacts } from "../../check.js";
import { type Entry, errorOf, type Frame, resultOf, show, textOf } from "../../entry.js";
import { expect, expectError, expectResult, fail, skip } from "../../verdict.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, type SceneCheck, SESSION, type Shown, type Stage, turnScene } from "../scene.js";

type Asked = { readonly request: Entry; readonly answer: Entry | undefined };

async function ask({ client }: Stage, method: string, params: Frame): Promise<Asked> {
  const request = client.begin(method, { sessionId: SESSION, ...params });
  return { request, answer: await client.answerTo(request) };
}

const read = (stage: Stage, path: string, more: Frame = {}) => ask(stage, "fs/read_text_file", { path, ...more });
const write = (stage: Stage, path: string, content: string) => ask(stage, "fs/write_text_file", { path, content });

type Reads = Readonly<Record<string, Asked>>;

const reading = turnScene(
  "reads of files",
  async (stage): Promise<Reads> => {
    const { cwd, note, lines, outside, linkedFile, linkedFolder } = stage.client.folder;
    const name = outside.slice(outside.lastIndexOf("/"));
    return {
      note: await read(stage, note),
      part: await read(stage, lines, { line: 2, limit: 2 }),
      tail: await read(stage, lines, { line: 9 }),
      missing: await read(stage, `${cwd}/turnkit-nothing.txt`),
      relative: await read(stage, "note.txt"),
      outside: await read(stage, outside),
      dots: await read(stage, `${cwd}/..${outside.slice(outside.lastIndexOf("/", outside.length - name.length - 1))}`),
      ...(linkedFile && { link: await read(stage, linkedFile) }),
      ...(linkedFolder && { linkedFolder: await read(stage, `${linkedFolder}${name}`) }),
      stranger: await read(stage, note, { sessionId: "conf-nobody" }),
    };
  },
  { dialects: ["v1"] },
);

type Written = Asked & { readonly content: string; readonly text: string | undefined };

const writing = turnScene(
  "writes of files",
  async (stage): Promise<Readonly<Record<string, Written>>> => {
    const { folder } = stage.client;
    const { cwd, lines, outside, linkedFile, linkedFolder } = folder;
    const put = async (path: string, at = path) => {
      const content = `written to ${path}\n`;
      return { ...(await write(stage, path, content)), content, text: await folder.read(at) };
    };
    return {
      created: await put(`${cwd}/conf-new.txt`),
      replaced: await put(lines),
      outside: await put(outside),
      ...(linkedFile && { link: await put(linkedFile, outside) }),
      ...(linkedFolder && { linkedFolder: await put(`${linkedFolder}/conf-other.txt`) }),
      relative: await put("conf-relative.txt", `${cwd}/conf-relative.txt`),
    };
  },
  { dialects: ["v1"] },
);

type ReadCheck = Omit<CheckFacts, "dialects" | "tier"> & Partial<Pick<CheckFacts, "tier">>;

/** Check of one read, for a client that reads files. */
function readCheck(
  facts: ReadCheck,
  name: string,
  judge: (asked: Asked, answer: Entry) => void,
): SceneCheck<Shown<Reads>> {
  return {
    ...{ tier: "mandatory", ...facts },
    judge({ client, value }) {
      if (!client.announces("readTextFile")) skip("The client offers no files to read.");
      const asked = value[name];
      if (asked === undefined) skip("Links are not possible here.");
      judge(asked as Asked, ClientTrial.answered(asked?.answer, "fs/read_text_file", asked?.request));
    },
  };
}

function writeCheck(
  facts: ReadCheck,
  name: string,
  judge: (written: Written, answer: Entry) => void,
): SceneCheck<Shown<Readonly<Record<string, Written>>>> {
  return {
    ...{ tier: "mandatory", ...facts },
    judge({ client, value }) {
      if (!client.announces("writeTextFile")) skip("The client offers no files to write.");
      const written = value[name];
      if (written === undefined) skip("Links are not possible here.");
      judge(written as Written, ClientTrial.answered(written?.answer, "fs/write_text_file", written?.request));
    },
  };
}

/** Fails if a read outside of the folder returned content. */
function expectKept({ request }: Asked, answer: Entry): void {
  if (answer.kind === "result") fail("a file outside of the session's folders was read", request, answer);
}

/** Fails if a write outside of the folder changed the file. */
function expectUnchanged({ request, content, text }: Written, answer: Entry): void {
  expect(text !== content, "a file outside of the session's folders was written", request, answer);
  expect(answer.kind === "error", "the write was not refused", request, answer);
}

/** A client may refuse all writes, for example because nobody can be asked. */
function expectWritten({ request, content, text }: Written, answer: Entry): void {
  if (answer.kind === "error" && errorOf(answer).code !== -32601) skip("The client refused to write.");
  expectResult(answer);
  expect(text === content, `the file holds ${show(text)}`, request, answer);
}

/** Checks of files that the client serves. */
export const fileChecks = [
  ...checksIn(
    reading,
    readCheck(
      {
        id: "TKC-FS-01",
        title: "A client that offers to read files reads a file of the session's folder.",
        requirements: ["V1-FS-02", "V1-INIT-09"],
        quick: true,
      },
      "note",
      (_asked, answer) => {
        expectResult(answer);
        expect(resultOf(answer).content === NOTE, `the content is ${show(resultOf(answer).content)}`, answer);
      },
    ),
    readCheck(
      {
        id: "TKC-FS-02",
        title: "line and limit select lines, counted from 1.",
        requirements: ["V1-FS-02", "V1-FS-04", "V1-RPC-23"],
      },
      "part",
      (_asked, answer) => {
        expectResult(answer);
        const { content } = resultOf(answer);
        expect(/^two\nthree\n?$/.test(textOf(content)), `the content is ${show(content)}`, answer);
      },
    ),
    readCheck(
      {
        id: "TKC-FS-03",
        title: "A line after the end of a file gives an empty text.",
        tier: "advisory",
        requirements: ["V1-FS-04"],
      },
      "tail",
      (_asked, answer) => {
        expectResult(answer);
        expect(resultOf(answer).content === "", `the content is ${show(resultOf(answer).content)}`, answer);
      },
    ),
    readCheck(
      {
        id: "TKC-FS-04",
        title: "A file that does not exist gives the error -32002.",
        tier: "advisory",
        requirements: ["V1-FS-07"],
      },
      "missing",
      (_asked, answer) => expectError(answer, -32002),
    ),
    readCheck(
      { id: "TKC-FS-05", title: "A relative path is refused.", requirements: ["V1-RPC-23", "V1-FS-02", "V1-FS-07"] },
      "relative",
      (_asked, answer) => expectError(answer),
    ),
    readCheck(
      {
        id: "TKC-FS-06",
        title: "A file outside of the session's folders is not read.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
        quick: true,
      },
      "outside",
      expectKept,
    ),
    readCheck(
      {
        id: "TKC-FS-07",
        title: "A path with dots does not lead out of the session's folders.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
      },
      "dots",
      expectKept,
    ),
    readCheck(
      {
        id: "TKC-FS-08",
        title: "A link to a file outside of the session's folders is not read.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
      },
      "link",
      expectKept,
    ),
    readCheck(
      {
        id: "TKC-FS-09",
        title: "A link to a folder outside of the session's folders does not lead out of them.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
      },
      "linkedFolder",
      expectKept,
    ),
    readCheck(
      {
        id: "TKC-FS-10",
        title: "A read for a session that does not exist is refused.",
        tier: "advisory",
        requirements: ["V1-SESS-43"],
      },
      "stranger",
      (_asked, answer) => expectError(answer),
    ),
    {
      id: "TKC-FS-11",
      title: "A client that does not offer files answers fs/read_text_file with the error -32601.",
      tier: "advisory",
      requirements: ["V1-INIT-18", "V1-INIT-09"],
      judge({ client, value }) {
        if (client.announces("readTextFile")) skip("The client offers files.");
        const { note } = value;
        expectError(ClientTrial.answered(note?.answer, "fs/read_text_file", note?.request), -32601);
      },
    },
  ),
  ...checksIn(
    writing,
    writeCheck(
      {
        id: "TKC-FS-12",
        title: "A client that offers to write files creates a file.",
        requirements: ["V1-FS-05", "V1-INIT-09"],
        quick: true,
      },
      "created",
      expectWritten,
    ),
    writeCheck(
      { id: "TKC-FS-13", title: "A write replaces the whole file.", requirements: ["V1-FS-05"] },
      "replaced",
      expectWritten,
    ),
    writeCheck(
      {
        id: "TKC-FS-14",
        title: "A file outside of the session's folders is not written.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
        quick: true,
      },
      "outside",
      expectUnchanged,
    ),
    writeCheck(
      {
        id: "TKC-FS-15",
        title: "A link to a file outside of the session's folders is not written.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
      },
      "link",
      expectUnchanged,
    ),
    writeCheck(
      {
        id: "TKC-FS-16",
        title: "No file is created through a link to a folder outside of the session's folders.",
        requirements: ["V1-FS-08", "V1-SESS-12"],
      },
      "linkedFolder",
      expectUnchanged,
    ),
    writeCheck(
      { id: "TKC-FS-17", title: "A write to a relative path is refused.", requirements: ["V1-RPC-23", "V1-FS-05"] },
      "relative",
      expectUnchanged,
    ),
  ),
];
