#!/usr/bin/env node
// Starts three servers of NATS, two gateways and a load balancer on this machine, until Ctrl-C.
//   node cluster.mjs [options of turnkit serve] -- AGENT…
// TURNKIT_TOKEN is the token of clients; without it, one is made. TURNKIT_COMMAND replaces the command `turnkit`: a list of words in JSON.
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
const READY_MS = 60_000;
let isEnding = false;

/** Starts a program, and settles with the first match in its output. Its last lines are in the error. */
function start(name, [program, ...args], { stream, pattern, env = {} }) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let output = "";
  let last = "";
  const lastLines = () => (last.trim() === "" ? "It printed nothing." : `Its last lines:\n${tailOf(last)}`);
  return new Promise((resolve, reject) => {
    for (const each of ["stdout", "stderr"]) {
      child[each].setEncoding("utf8").on("data", (text) => {
        if (name.startsWith("gateway") && each === "stderr") process.stderr.write(`${name}: ${text}`);
        last = (last + text).slice(-4_000);
        if (each !== stream) return;
        output = (output + text).slice(-20_000);
        const found = pattern.exec(output);
        if (found !== null) resolve({ child, lastLines, found: found[1] ?? "" });
      });
    }
    child.once("error", (error) => {
      const remedy = `Is ${program} installed, and in a folder of PATH?`;
      reject(new Error(`${name} does not start: ${error.message}. ${error.code === "ENOENT" ? remedy : ""}`));
    });
    child.once("close", (code, signal) => {
      if (!isEnding) process.stderr.write(`${name} has ended (${signal ?? code}).\n`);
      reject(new Error(`${name} has ended before it was ready. ${lastLines()}`));
    });
    setTimeout(() => reject(new Error(`${name} was not ready after 60 s. ${lastLines()}`)), READY_MS).unref();
  });
}

const tailOf = (text) => text.trimEnd().split("\n").slice(-12).join("\n");

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

/** Starts three servers of NATS that know each other. Settles when each knows the leader of JetStream. */
async function startBrokers() {
  const names = ["n1", "n2", "n3"];
  const ports = await freePorts(9);
  const routes = names.map((_, at) => `nats://127.0.0.1:${ports[3 + at]}`);
  return Promise.all(
    names.map(async (name, at) => {
      const own = ["-n", name, "-p", ports[at], "-m", ports[6 + at], "-sd", join(folder, name), "-cluster", routes[at]];
      const shared = ["-a", "127.0.0.1", "-js", "-cluster_name", "example", "-routes", routes.join(",")];
      const command = ["nats-server", ...own.map(String), ...shared];
      const { child, lastLines } = await start(name, command, { stream: "stderr", pattern: /Server is ready/ });
      const monitor = `http://127.0.0.1:${ports[6 + at]}`;
      const until = Date.now() + READY_MS;
      while (!(await isHealthy(monitor))) {
        if (Date.now() > until) throw new Error(`${name} found no leader within 60 s. ${lastLines()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return { name, pid: child.pid, address: `127.0.0.1:${ports[at]}`, monitor, command };
    }),
  );
}

/** Returns true if a server says that it has JetStream and its leader. */
async function isHealthy(monitor) {
  try {
    return (await fetch(`${monitor}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function startGateway(name, servers) {
  const serve = (port) => {
    const nats = ["--nats", servers, "--replicas", "3"];
    return [...turnkit, "serve", "--listen", `127.0.0.1:${port}`, ...nats, ...options, "--", ...agent];
  };
  const env = { TURNKIT_TOKEN: token };
  const { child, found } = await start(`gateway ${name}`, serve(0), {
    stream: "stdout",
    pattern: /^(http\S+)\n/m,
    env,
  });
  const port = Number(new URL(found).port);
  return { pid: child.pid, invitation: found, port, command: serve(port) };
}

/** Prints the command that starts a killed process again, for a shell. */
function printAgain(name, command) {
  const words = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  process.stdout.write(`${name} again, after a kill: ${words.join(" ")}\n`);
}

/**
 * Gives each connection to the next gateway that takes it. A client that connects again may therefore reach another
 * gateway.
 */
function balance(ports) {
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
  return server;
}

async function listening(server) {
  const wanted = process.env.PORT ?? "0";
  server.listen(Number(wanted), "127.0.0.1");
  await new Promise((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", ({ message }) => reject(new Error(`PORT=${wanted} cannot be used: ${message}`)));
  });
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
  const ports = [];
  // Before the rest, because another program may have the port.
  const port = await listening(balance(ports));
  const brokers = await startBrokers();
  for (const { name, pid, address, monitor } of brokers)
    process.stdout.write(`broker ${name} pid ${pid} at ${address}, its state: ${monitor}/jsz?streams=1&config=1\n`);
  const servers = brokers.map(({ address }) => `nats://${address}`).join(",");
  const again = brokers.map(({ name, command }) => [name, command]);
  // One after the other: the first one makes the streams.
  for (const name of ["a", "b"]) {
    const gateway = await startGateway(name, servers);
    ports.push(gateway.port);
    again.push([`gateway ${name}`, gateway.command]);
    process.stdout.write(`gateway ${name} pid ${gateway.pid}, in a browser: ${gateway.invitation}\n`);
  }
  for (const [name, command] of again) printAgain(name, command);
  process.stdout.write(`programs: TURNKIT_TOKEN=${token} turnkit --url ws://127.0.0.1:${port}/acp\n`);
  process.stdout.write("Ctrl-C ends everything.\n");
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  await end(1);
}
