import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";

/** A TCP connection that sends exactly what a test writes, and keeps what it receives. */
export class RawPipe {
  text = "";
  readonly socket: Socket;
  /** Settles when the server has closed its side, in whichever way. */
  readonly closed: Promise<void>;
  #waiting: (() => void)[] = [];
  #isOver = false;

  constructor(port: number, { tls = false, allowHalfOpen = false } = {}) {
    const options = { port, host: "127.0.0.1", allowHalfOpen };
    this.socket = tls ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
    this.socket.on("error", () => {});
    this.socket.setEncoding("latin1");
    this.socket.on("data", (text) => {
      this.text += String(text);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once("end", resolve);
      this.socket.once("close", () => resolve());
    });
    void this.closed.then(() => {
      this.#isOver = true;
      this.#wake();
    });
    onTestFinished(() => void this.socket.destroy());
  }

  write(...lines: readonly string[]): void {
    this.socket.write(lines.join("\r\n"));
  }

  /** Sends a request with these lines of headers. */
  request(line: string, headers: readonly string[] = [], body = ""): void {
    this.write(`${line} HTTP/1.1`, "Host: localhost", ...headers, "", body);
  }

  /** Waits for a text. */
  async until(part: string): Promise<string> {
    while (!this.text.includes(part)) await this.arrival();
    return this.text;
  }

  /** Settles with the next bytes. Rejects at the end of the connection. */
  arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => (this.#isOver ? reject(new Error(`The server closed: ${this.text}`)) : resolve()));
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
