import process from "node:process";
import { Writable } from "node:stream";

/**
 * Takes stdout for the protocol: what this returns writes to it, and everybody else's writes go to stderr from now on,
 * through whatever reference to `process.stdout` they hold.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const end = stdout.end.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A client may close it, and without a listener the next stray line would end the process.
  stderr.on("error", () => {});
  // Somebody else's stream that ends here must not end the protocol's.
  stdout.end = () => stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
    final: (done) => void end(done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
