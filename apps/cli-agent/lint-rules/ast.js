// Parts of the syntax tree (ESTree) that several rules read.

/** Returns the name of a variable or of a member, such as `exec` for `exec`, `cp.exec` and `this.exec`. */
export function nameOf(node) {
  if (node?.type === "ChainExpression") return nameOf(node.expression);
  if (node?.type === "Identifier" || node?.type === "PrivateIdentifier") return node.name;
  if (node?.type !== "MemberExpression") return undefined;
  return node.computed
    ? typeof node.property.value === "string"
      ? node.property.value
      : undefined
    : nameOf(node.property);
}

/** Returns the path of names of a variable or member, such as `req.query.id`; `undefined` for other expressions. */
export function pathOf(node) {
  if (node?.type === "ChainExpression") return pathOf(node.expression);
  if (node?.type === "ThisExpression") return "this";
  if (node?.type !== "MemberExpression") return nameOf(node);
  const object = pathOf(node.object);
  const name = nameOf(node);
  return object === undefined || name === undefined ? undefined : `${object}.${name}`;
}

/**
 * Returns `true` for a text that is put together from other values: a template with expressions, or a sum with a text.
 *
 * @param isHarmless returns `true` for a value that counts as a constant
 */
export function isBuiltText(node, isHarmless = () => false) {
  if (node?.type !== "TemplateLiteral" && !(node?.type === "BinaryExpression" && node.operator === "+")) return false;
  return !isConstant(node, isHarmless) && hasText(node);
}

/** Returns the text at the start of a literal, a template or a sum of texts. */
export function startOfText(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? "";
  if (node?.type === "TaggedTemplateExpression") return startOfText(node.quasi);
  return node?.type === "BinaryExpression" ? startOfText(node.left) : "";
}

/** Returns `true` for literals, and for sums of literals. */
export function isConstant(node, isHarmless = () => false) {
  const isSafe = (part) => isConstant(part, isHarmless);
  if (node?.type === "Literal" || (node && isHarmless(node))) return true;
  if (node?.type === "TemplateLiteral") return node.expressions.every(isSafe);
  return node?.type === "BinaryExpression" && isSafe(node.left) && isSafe(node.right);
}

function hasText(node) {
  if (node.type === "Literal") return typeof node.value === "string";
  if (node.type === "TemplateLiteral") return true;
  return node.type === "BinaryExpression" && (hasText(node.left) || hasText(node.right));
}

/** Returns the nearest function around a node; `undefined` at the top of the file. */
export function functionAround(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (/Function/.test(at.type) && "body" in at) return at;
  }
  return undefined;
}

/** Returns the nodes below a node, the node itself included. Inner functions are left out if `own` is true. */
export function* nodesBelow(node, own = false) {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent" || key === "loc" || key === "range" || key === "tokens" || key === "comments") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type !== "string" || (own && /Function/.test(child.type))) continue;
      yield* nodesBelow(child, own);
    }
  }
}

/**
 * Makes a rule of a visitor: `report(node, message)` reports a finding. A rule that fails reports nothing more, so a file
 * that is nested too deeply for it still gets the findings of the other rules.
 */
export function rule(description, visitor) {
  const create = (context) => {
    const handlers = visitor((node, message) => context.report({ node, message }), context);
    let isBroken = false;
    const safe = (handler) => (node) => {
      if (isBroken) return;
      try {
        handler(node);
      } catch {
        isBroken = true;
      }
    };
    return Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, safe(handler)]));
  };
  return { meta: { type: "problem", docs: { description } }, create };
}
