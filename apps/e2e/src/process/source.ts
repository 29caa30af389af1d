import { fileURLToPath } from "node:url";

/** The command that runs a TypeScript file of this repository without a build. */
export function runSource(file: URL): [string, ...string[]] {
  return [
    process.execPath,
    "--conditions=@turnkit/source",
    "--import",
    import.meta.resolve("tsx"),
    fileURLToPath(file),
  ];
}
