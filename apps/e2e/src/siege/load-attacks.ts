import { type Attack, distinct, type Pipe, type Target } from "./attack.js";

const start = "POST /acp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-ann\r\n";

/** Opens connections that send a start and then one byte after the other, and waits until all are closed. */
async function drip(target: Target, { text, byte, ms }: { text: string; byte: string; ms: number }): Promise<string> {
  const pipes = await Promise.all(Array.from({ length: target.scale.slow }, () => target.pipe(text)));
  const dripping = setInterval(() => {
    for (const pipe of pipes) if (!pipe.isClosed) pipe.socket.write(byte);
  }, ms / 10);
  const service = await target.service();
  await Promise.race([closed(pipes), new Promise((resolve) => setTimeout(resolve, ms * 2 + 10_000))]);
  clearInterval(dripping);
  const open = pipes.filter(({ isClosed }) => !isClosed).length;
  return `${service}, ${distinct(pipes.map(({ status }) => status))}, ${open} open`;
}

const closed = (pipes: readonly Pipe[]) => Promise.all(pipes.map((pipe) => pipe.closed));

/** Attacks by number, size and slowness. */
export const loadAttacks: readonly Attack[] = [
  {
    name: "slowloris: headers byte by byte",
    expected: "served, 408, 0 open",
    run: (target) => drip(target, { text: `${start}X-Slow: `, byte: "a", ms: target.scale.headerMs }),
  },
  {
    name: "slowloris: a body byte by byte",
    expected: "served, 408, 0 open",
    run: (target) =>
      drip(target, {
        text: `${start}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
        byte: " ",
        ms: target.scale.bodyMs,
      }),
  },
  {
    name: "idle TCP connections",
    expected: "all accepted, served, 0 open",
    async run(target) {
      const pipes: Pipe[] = [];
      while (pipes.length < target.scale.idle)
        pipes.push(...(await Promise.all(Array.from({ length: 50 }, () => target.pipe()))));
      const service = await target.service();
      await Promise.race([
        closed(pipes),
        new Promise((resolve) => setTimeout(resolve, target.scale.headerMs * 2 + 10_000)),
      ]);
      const open = pipes.filter(({ isClosed }) => !isClosed).length;
      // The server may close a silent connection after its time for headers, and not earlier.
      const early = pipes.filter(({ livedMs }) => livedMs < target.scale.headerMs * 0.8).length;
      return `${early === 0 ? "all accepted" : `${early} closed at once`}, ${service}, ${open} open`;
    },
  },
  {
    name: "event streams that nobody reads, with 20 kB for each",
    expected: "opened: 200, prompts: 202, served",
    async run(target) {
      const id = await target.connection();
      const opened: number[] = [];
      const prompts: number[] = [];
      for (let count = 0; count < target.scale.streams; count += 1) {
        const sessionId = `s-${count}`;
        const ids = `Acp-Connection-Id: ${id}\r\nAcp-Session-Id: ${sessionId}\r\n`;
        const get = start.replace("POST", "GET");
        const pipe = await target.pipe(`${get}Accept: text/event-stream\r\n${ids}\r\n`);
        await new Promise((resolve) => {
          pipe.socket.once("data", resolve);
          pipe.socket.once("close", resolve);
        });
        pipe.socket.pause();
        opened.push(pipe.status);
        const params = { sessionId, prompt: [{ type: "text", text: "say 20 1000" }] };
        const headers = { "Acp-Connection-Id": id, "Acp-Session-Id": sessionId };
        const reply = await target.post({ id: count + 1, method: "session/prompt", params }, headers);
        prompts.push(reply.status);
      }
      return `opened: ${distinct(opened)}, prompts: ${distinct(prompts)}, ${await target.service()}`;
    },
  },
  {
    name: "a body of 16 MiB, and of one byte more",
    expected: "202, 413",
    async run(target) {
      const headers = { "Acp-Connection-Id": await target.connection() };
      const head = `{"jsonrpc":"2.0","method":"_big","params":{"text":"`;
      const frame = (size: number) => `${head}${"x".repeat(size - head.length - 3)}"}}`;
      const most = await target.post(frame(16 * 2 ** 20), headers);
      // The server answers at the headers. A client that goes on to write may lose the answer with the connection.
      const ids = `Acp-Connection-Id: ${headers["Acp-Connection-Id"]}\r\nContent-Type: application/json\r\n`;
      const more = await target.pipe(`${start}${ids}Content-Length: ${16 * 2 ** 20 + 1}\r\n\r\n{`);
      await Promise.race([new Promise((resolve) => more.socket.once("data", resolve)), more.closed]);
      return `${most.status}, ${more.status}`;
    },
  },
];
