import process from "node:process";
import { Writable } from "node:stream";

/**
 * Takes stdout for the protocol and returns a stream that writes to it. All other writes to `process.stdout` go to stderr from
 * then on.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const end = stdout.end.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A client may close stderr. Without a listener the next stray line would end the process.
  stderr.on("error", () => {});
  // Another stream that is piped to stdout must not end the protocol's.
  stdout.end = () => stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
    final: (done) => void end(done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
