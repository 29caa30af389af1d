import { Visitor } from "oxc-parser";
import { isTest, parseSource, placeOf, type SourceFile } from "../source.js";
import type { Workspace } from "../workspace.js";

const comparing = new Set(["===", "!==", "==", "!=", "<", ">", "<=", ">="]);
/** Workspaces with both sides of a negotiation, and checks of what an agent negotiates. */
const exempt = new Set(["tooling", "e2e", "bench", "conformance"]);

/** Comparisons of the protocol's version outside `negotiate.ts`: such code belongs in a driver or a codec. */
export function comparisonViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces
    .filter((workspace) => !exempt.has(workspace.name))
    .flatMap((workspace) => workspace.files)
    .filter((file) => !isTest(file.path) && !file.path.endsWith("/negotiate.ts"))
    .flatMap(comparisonsIn);
}

function comparisonsIn(file: SourceFile): readonly string[] {
  const places: number[] = [];
  new Visitor({
    BinaryExpression: (node) => {
      const sides: readonly Expression[] = [node.left, node.right];
      if (comparing.has(node.operator) && sides.some(namesVersion) && !sides.some(isNoVersion)) places.push(node.start);
    },
    SwitchStatement: (node) => {
      if (namesVersion(node.discriminant)) places.push(node.start);
    },
  }).visit(parseSource(file).program);
  return places.map((start) => `${placeOf(file, start)} compares the version; only negotiate.ts may`);
}

type Expression = {
  readonly type: string;
  readonly name?: unknown;
  readonly property?: Expression;
  readonly raw?: unknown;
};

function namesVersion(node: Expression): boolean {
  if ("expression" in node) return namesVersion(node.expression as Expression); // `x!`, `x as T`, `x?.y`
  const name = node.type === "MemberExpression" ? node.property?.name : node.name;
  return typeof name === "string" && /(^version|Version|dialect|Dialect)$/.test(name);
}

function isNoVersion(node: Expression): boolean {
  return node.name === "undefined" || ["null", "true", "false"].includes(String(node.raw));
}
