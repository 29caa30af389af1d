import { type Check, counted } from "../check.js";
import { received, saidNothing, wireOf } from "../wire.js";

export const messageForm: Check = {
  id: "message-form",
  title: "every message is JSON-RPC 2.0",
  look(evidence) {
    if (saidNothing(evidence)) return "untested";
    const faults = received(evidence).flatMap((frame) => {
      const { jsonrpc, id, method, result, error } = wireOf(frame);
      if (Array.isArray(frame.message)) return ["an array"];
      if (jsonrpc !== "2.0") return [`jsonrpc: ${JSON.stringify(jsonrpc) ?? "missing"}`];
      if (method !== undefined) return typeof method === "string" ? [] : ["a method that is no text"];
      if (id === undefined) return ["an answer without an id"];
      return (result === undefined) === (error === undefined)
        ? ["an answer with both or neither of result and error"]
        : [];
    });
    if (faults.length === 0) return undefined;
    return {
      severity: "problem",
      seen: counted(faults, "fault"),
      advice:
        'Each message is one object with "jsonrpc": "2.0"; an answer has the id of its request, and a result or an error.',
    };
  },
};
