/** Members of the output of `node --cpu-prof` that are read here. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
};

/** Time of one process by place, in milliseconds. */
export type SelfTimes = {
  readonly total: number;
  readonly byLayer: ReadonlyMap<string, number>;
  readonly byFunction: ReadonlyMap<string, number>;
};

/** Frames of V8 that are not functions, with names for people. */
const states: ReadonlyMap<string, string> = new Map([
  ["(idle)", "idle"],
  ["(garbage collector)", "garbage collection"],
  ["(program)", "V8 and libuv"],
  ["(root)", "V8 and libuv"],
]);

/** Parts of URLs with the owner of the code. The first match counts. */
const owners: readonly (readonly [string, string])[] = [
  ["node:internal/modules", "start: modules"],
  ["node:internal/bootstrap", "start: modules"],
  ["node:", "Node"],
  ["/node_modules/zod/", "zod"],
  ["/@agentclientprotocol/", "official SDK"],
  ["/vscode-jsonrpc/", "vscode-jsonrpc"],
  ["/packages/transport/", "transport"],
  ["/packages/session/", "session"],
  ["/packages/schema/", "schema"],
  ["/packages/agent/", "agent"],
  ["/packages/client/", "client"],
  ["/apps/bench/", "bench"],
];

/**
 * Adds up self times. The time of built-in code, such as system calls and conversions of text, counts for its caller.
 */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTimes {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const layerOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = (byId.get(at) as CpuProfile["nodes"][number]).callFrame;
      const layer = states.get(functionName) ?? owners.find(([part]) => url.includes(part))?.[1];
      if (layer !== undefined) return layer;
    }
    return "V8 and libuv";
  };
  const layers = new Map(nodes.map(({ id }) => [id, layerOf(id)]));
  const byLayer = new Map<string, number>();
  const byFunction = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, time: number) => sums.set(name, (sums.get(name) ?? 0) + time);
  let total = 0;
  samples.forEach((id, index) => {
    const time = (timeDeltas[index + 1] ?? 0) / 1000;
    const layer = layers.get(id) as string;
    const { functionName } = (byId.get(id) as CpuProfile["nodes"][number]).callFrame;
    total += time;
    add(byLayer, layer, time);
    if (!states.has(functionName)) add(byFunction, `${functionName || "(anonymous)"} (${layer})`, time);
  });
  return { total, byLayer, byFunction };
}

/** Returns names with their times, the longest first, as shares of the total. */
export function ranked(times: ReadonlyMap<string, number>, total: number, most: number): readonly string[] {
  const rows = [...times].sort(([, one], [, other]) => other - one).slice(0, most);
  return rows.map(([name, time]) => `${((100 * time) / total).toFixed(1)} % | ${time.toFixed(0)} ms | ${name}`);
}
