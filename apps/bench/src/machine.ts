import os from "node:os";

/** Returns one line with the place and time of a measurement, and the load of the machine. */
export function machine(): string {
  const processors = os.cpus();
  const model = processors[0]?.model ?? "unknown processor";
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${model}, ${processors.length} cores, ${memory} GiB, Node ${process.version}, ${os.platform()}, load ${os.loadavg()[0]?.toFixed(1)}`;
}
