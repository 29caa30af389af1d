import { expect, test } from "vitest";
import { errorTableViolations } from "../src/rule/error-tables.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("the tables of errors on the reference pages have what the packages make, and nothing that nobody makes", () => {
  expect(errorTableViolations(readWorkspaces())).toEqual([]);
});

const declarations = `
  export class AcpError extends Error { constructor(code: string, text: string) { super(text); } }
  export class FrameError extends AcpError { constructor(text: string) { super("frame", text); } }
  export const rpcErrorCode = { invalidParams: -32602, internalError: -32603 } as const;
  export class RpcError extends Error { static invalidParams = () => new RpcError(rpcErrorCode.invalidParams); }`;
const transportPage = "## Errors\n\n| error | `code` |\n| -- | -- |\n| `FrameError` | `frame` |\n| – | `-32602` |\n";
const transport = fixture("packages/transport", { "src/errors.ts": declarations }, { reference: transportPage });
const found = (text: string, table: string) => {
  const reference = `# x\n\n## Errors\n\n${table}\n\n## Bounds\n\n| \`code\` |\n| -- |\n| \`later\` |\n`;
  return errorTableViolations([transport, fixture("packages/agent", { "src/a.ts": text }, { reference })]);
};

test.for([
  [`throw new AcpError("state", "x");`, "state"],
  [`throw new FrameError("x");`, "frame"],
  ["const answer = RpcError.invalidParams();", "-32602"],
  [`class Own extends AcpError { constructor() { super("own", "x"); } }`, "own"],
])("is missing: %s", ([text, code]) => {
  expect(found(text as string, "`state`, `frame`, `own`, `-32602` in the text only")).toEqual([
    `docs/reference/agent.md: no table of errors has ${code}, which packages/agent/src/a.ts makes`,
  ]);
});

test.for([
  ["| error | `code` |\n| -- | -- |\n| what | `gone` |", "gone"],
  ["| when |\n| -- |\n| `AcpError` `gone` |", "gone"],
  ["| when |\n| -- |\n| it answers `-32099` |", "-32099"],
  ["| when |\n| -- |\n| `GoneError` |", "GoneError"],
])("is of no code: %s", ([table, code]) => {
  expect(found("", table as string)).toEqual([
    `docs/reference/agent.md: a table of errors has ${code}, which no code makes`,
  ]);
});

test("what is in the tables and in the code passes, whoever makes it", () => {
  const text = `throw new AcpError("state", "x"); throw RpcError.invalidParams();`;
  expect(found(text, "| `code` |\n| -- |\n| `state`, `frame` |\n| `-32602` |")).toEqual([]);
});
