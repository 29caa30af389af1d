#!/usr/bin/env node
// Starts three servers of NATS, two gateways and a load balancer on this machine, until Ctrl-C.
//   node cluster.mjs [options of turnkit serve] -- AGENT…
// TURNKIT_TOKEN is the token of clients; without it, one is made. TURNKIT_COMMAND is another command than `turnkit`, as a list in JSON.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const words = process.argv.slice(2);
const split = words.indexOf("--");
if (split < 0 || split === words.length - 1) {
  process.stderr.write("Usage: node cluster.mjs [options of turnkit serve] -- AGENT…\n");
  process.exit(2);
}
const options = words.slice(0, split);
const agent = words.slice(split + 1);
const turnkit = JSON.parse(process.env.TURNKIT_COMMAND ?? '["turnkit"]');
const token = process.env.TURNKIT_TOKEN ?? randomBytes(24).toString("hex");
const folder = mkdtempSync(join(tmpdir(), "turnkit-cluster-"));
const children = [];
let isEnding = false;

/** Starts a program, and settles with the first match in its output. */
function start(name, [program, ...args], { stream, pattern, env = {} }) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let output = "";
  return new Promise((resolve, reject) => {
    for (const each of ["stdout", "stderr"]) {
      child[each].setEncoding("utf8").on("data", (text) => {
        if (name.startsWith("gateway") && each === "stderr") process.stderr.write(`${name}: ${text}`);
        if (each !== stream) return;
        output = (output + text).slice(-20_000);
        const found = pattern.exec(output);
        if (found !== null) resolve({ child, found: found[1] ?? "" });
      });
    }
    child.once("error", (error) => reject(new Error(`${name} does not start: ${error.message}`)));
    child.once("exit", (code, signal) => {
      if (!isEnding) process.stderr.write(`${name} has ended (${signal ?? code}).\n`);
      reject(new Error(`${name} has ended before it was ready: ${output.slice(-500)}`));
    });
  });
}

/** Returns free ports of this machine. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Starts three servers of NATS that know each other. Settles when they have chosen a leader. */
async function startBrokers() {
  const names = ["n1", "n2", "n3"];
  const ports = await freePorts(6);
  const routes = names.map((_, at) => `nats://127.0.0.1:${ports[3 + at]}`);
  const brokers = await Promise.all(
    names.map((name, at) => {
      const own = ["-n", name, "-p", String(ports[at]), "-sd", join(folder, name), "-cluster", routes[at]];
      const command = ["nats-server", "-a", "127.0.0.1", "-js", "-cluster_name", "example", ...own];
      const pattern = /JetStream cluster (?:new )?metadata leader/;
      return start(name, [...command, "-routes", routes.join(",")], { stream: "stderr", pattern });
    }),
  );
  return brokers.map(({ child }, at) => ({ name: names[at], pid: child.pid, address: `127.0.0.1:${ports[at]}` }));
}

async function startGateway(name, servers) {
  const nats = ["--nats", servers, "--replicas", "3"];
  const command = [...turnkit, "serve", "--listen", "127.0.0.1:0", ...nats, ...options, "--", ...agent];
  const env = { TURNKIT_TOKEN: token };
  const { child, found } = await start(`gateway ${name}`, command, { stream: "stdout", pattern: /^(http\S+)\n/m, env });
  return { pid: child.pid, invitation: found, port: Number(new URL(found).port) };
}

/**
 * Gives each connection to the next gateway that takes it. A client that connects again may therefore reach another
 * gateway.
 */
async function balance(ports) {
  let next = 0;
  const server = createServer((client) => {
    const first = next++;
    const tryAt = (attempt) => {
      if (attempt === ports.length) return client.destroy();
      const gateway = connect(ports[(first + attempt) % ports.length], "127.0.0.1");
      gateway.once("error", () => (gateway.bytesRead > 0 ? client.destroy() : tryAt(attempt + 1)));
      gateway.once("connect", () => {
        client.pipe(gateway).pipe(client);
        gateway.once("close", () => client.destroy());
        client.once("close", () => gateway.destroy());
      });
    };
    client.on("error", () => {});
    tryAt(0);
  });
  server.listen(Number(process.env.PORT ?? 0), "127.0.0.1");
  await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return server.address().port;
}

async function end(code) {
  if (isEnding) return;
  isEnding = true;
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = running.map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running.toReversed()) child.kill("SIGTERM");
  setTimeout(() => running.forEach((child) => void child.kill("SIGKILL")), 10_000).unref();
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end(0));

try {
  const brokers = await startBrokers();
  for (const { name, pid, address } of brokers) process.stdout.write(`broker ${name} pid ${pid} at ${address}\n`);
  const servers = brokers.map(({ address }) => `nats://${address}`).join(",");
  const gateways = [];
  // One after the other: the first one makes the streams.
  for (const name of ["a", "b"]) {
    const gateway = await startGateway(name, servers);
    gateways.push(gateway);
    process.stdout.write(`gateway ${name} pid ${gateway.pid}, in a browser: ${gateway.invitation}\n`);
  }
  const port = await balance(gateways.map((gateway) => gateway.port));
  process.stdout.write(`programs: TURNKIT_TOKEN=${token} turnkit --url ws://127.0.0.1:${port}/acp\n`);
  process.stdout.write("Ctrl-C ends everything.\n");
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  await end(1);
}
