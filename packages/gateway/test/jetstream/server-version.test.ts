import { expect, test } from "vitest";
import { checkServerVersion } from "../../src/jetstream/server-version.js";

test.each(["2.9.10", "2.9.25", "2.10.0", "2.10.22", "2.10.27", "2.10.29", "1.99.99"])(
  "NATS-12 defect G33: several replicas on nats-server %s are refused, because it loses stored messages",
  (version) => {
    const what = `nats-server ${version} loses stored messages when a server of a cluster is killed`;
    expect(() => checkServerVersion(version, 3)).toThrow(`${what}. For 3 replicas, use nats-server 2.11.0 or newer`);
    expect(() => checkServerVersion(version, 1)).not.toThrow();
  },
);

test.each(["2.11.0", "2.11.4", "2.12.0-dev", "2.15.1", "3.0.0", "10.0.0", undefined])(
  "several replicas on nats-server %s are taken",
  (version) => {
    expect(() => checkServerVersion(version, 3)).not.toThrow();
  },
);
