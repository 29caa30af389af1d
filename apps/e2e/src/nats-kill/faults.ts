import { TTL, type World } from "./world.js";

/** Faults of a gateway, a broker or a connection. `shutdown` is the end of a gateway after SIGTERM. */
export const FAULTS = ["gateway", "both gateways", "shutdown", "broker", "cut", "half-open"] as const;

export type Fault = (typeof FAULTS)[number];

/** Parts of one fault. */
export type FaultParts = {
  readonly fault: Fault;
  /** Number of the gateway that has the fault. */
  readonly target: 0 | 1;
  /** Returns a random integer from 0 to below the bound. */
  readonly below: (bound: number) => number;
  /** Called when the process of a gateway has ended. */
  readonly died: () => void;
};

/** Causes a fault. Settles when it is repaired. */
export async function cause({ brokers, gateways }: World, { fault, target, below, died }: FaultParts): Promise<void> {
  const gateway = gateways[target];
  switch (fault) {
    case "gateway":
      await gateway.kill();
      died();
      return gateway.run();
    case "shutdown":
      await gateway.stop();
      died();
      return gateway.run();
    case "both gateways":
      await Promise.all(gateways.map((one) => one.kill()));
      for (const one of gateways) one.run();
      return;
    case "broker": {
      const broker = brokers[below(brokers.length)];
      await broker?.kill();
      await pause(below(TTL));
      return broker?.run();
    }
    case "cut":
      for (const wire of gateway.wires) wire.cut();
      return;
    case "half-open":
      for (const wire of gateway.wires) wire.hold();
      await pause(below(2 * TTL));
      for (const wire of gateway.wires) wire.release();
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
