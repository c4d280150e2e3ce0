/** The reader of sources for all tools: parses TypeScript and JavaScript, and visits the nodes (ESTree). */
import { type ParseResult, parseSync } from 'rolldown/utils'

/** A node of the syntax tree, and its members by name. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** @throws for a syntax error, with the path. */
export function parseSource(path: string, text: string): ParseResult {
  const result = parseSync(path, text)
  const [error] = result.errors
  if (error) throw new Error(`${path}: ${error.message}`)
  return result
}

/** Calls `look` with each node, and with the nodes around it, the outermost first. */
export function visit(
  root: unknown,
  look: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  const node = root as Node
  look(node, parents)
  const inside = [...parents, node]
  for (const member of Object.values(node).flat()) if (isNode(member)) visit(member, look, inside)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
