import { fileURLToPath } from "node:url";

/** Built programs by the paths of their sources. Only the runner of the tests builds them. */
const built: Readonly<Record<string, string>> = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}");

/** Returns the command that runs a TypeScript file of this repository: built in tests, by a loader elsewhere. */
export function runSource(file: URL): [string, ...string[]] {
  const path = fileURLToPath(file);
  const program = built[path];
  return program === undefined ? runUnbuilt(file) : [process.execPath, program];
}

/** Returns the command that runs a TypeScript file by a loader, with each package as a module of its own. */
export const runUnbuilt = (file: URL): [string, ...string[]] => [
  ...([process.execPath, "--conditions=@turnkit/source", "--import", import.meta.resolve("tsx")] as const),
  fileURLToPath(file),
];
